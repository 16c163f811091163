import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { hunt } from './sequences/hunt.ts';
import type { Family } from './sequences/subject.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';

const session = await openSession();

/** What sequences are made of, and the promises that they try. */
const FAMILIES = {
  createPolicy: {
    name: 'policies',
    requirements: [
      'policies.activate',
      'policies.deactivate',
      'policies.activate-exists',
      'policies.status',
      'policies.filter-active',
      'policies.update-stores',
      'policies.delete-removes',
      'forms.shared-state',
      'auth.refused-changes-nothing',
    ],
  },
  createAgent: {
    name: 'agents',
    requirements: ['agents.update-stores', 'agents.delete-removes', 'auth.refused-changes-nothing'],
  },
  createJob: {
    name: 'jobs',
    requirements: [
      'jobs.update-stores',
      'jobs.delete-removes',
      'runs.dry-run-changes-nothing',
      'jobs.preview-changes-nothing',
      'auth.refused-changes-nothing',
    ],
  },
} as const satisfies Record<Family, { readonly name: string; readonly requirements: readonly string[] }>;

for (const [family, { name, requirements }] of Object.entries(FAMILIES) as [Family, (typeof FAMILIES)[Family]][]) {
  if (session.contract.operation(OPERATIONS[family]) === undefined) continue;
  defineTest(
    session,
    {
      suite: 'state/sequences',
      title: `any sequence of calls on ${name} is answered as the document allows`,
      requirements,
      checks: ['model-conformance', 'activation', 'updated-reads-back', 'deleted-is-gone', 'refused-changes-nothing'],
      effects: ['read', 'reversible'],
      cost: 800,
    },
    (t) => hunt(t, { family, ordered: false }),
  );
}

if (session.contract.operation(OPERATIONS.setOrder) !== undefined) {
  defineTest(
    session,
    {
      suite: 'state/sequences',
      title: 'any sequence of calls on policies and their order is answered as the document allows',
      requirements: ['policies.processing-order'],
      checks: ['model-conformance', 'processing-order'],
      effects: ['read', 'reversible', 'global'],
      alone: true,
      cost: 800,
    },
    (t) => hunt(t, { family: 'createPolicy', ordered: true }),
  );
}

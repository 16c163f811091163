import { findOperation } from '../../domain/builtin/operations.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { FAMILIES } from './sequences/items.ts';
import type { Family } from './sequences/items.ts';
import { runSequences } from './sequences/run.ts';

const session = await openSession();

/** The requirements that sequences verify. */
const REQUIREMENTS: Readonly<Record<Family, readonly string[]>> = {
  policy: [
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
  agent: ['agents.update-stores', 'agents.delete-removes', 'auth.refused-changes-nothing'],
  job: [
    'jobs.update-stores',
    'jobs.delete-removes',
    'runs.dry-run-changes-nothing',
    'jobs.preview-changes-nothing',
    'auth.refused-changes-nothing',
  ],
};

const PLURALS: Readonly<Record<Family, string>> = { policy: 'policies', agent: 'agents', job: 'jobs' };

for (const family of Object.keys(FAMILIES) as Family[]) {
  if (findOperation(session.contract, FAMILIES[family]) === undefined) continue;
  defineTest(session, {
    suite: 'state/sequences',
    title: `any sequence of calls on ${PLURALS[family]} gets documented responses`,
    requirements: REQUIREMENTS[family],
    checks: ['model-conformance', 'activation', 'updated-reads-back', 'deleted-is-gone', 'refused-changes-nothing'],
    effects: ['read', 'reversible'],
    cost: 800,
    run: (t) => runSequences(t, { family, withOrder: false }),
  });
}

const setOrder = findOperation(session.contract, 'setOrder');
if (setOrder !== undefined) {
  defineTest(session, {
    suite: 'state/sequences',
    title: 'any sequence of calls on policies and their processing order gets documented responses',
    operation: setOrder,
    requirements: ['policies.processing-order'],
    checks: ['model-conformance', 'processing-order'],
    effects: ['read', 'reversible', 'global'],
    isolated: true,
    cost: 800,
    run: (t) => runSequences(t, { family: 'policy', withOrder: true }),
  });
}

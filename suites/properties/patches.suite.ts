import { create } from '../../domain/create.ts';
import { isUnsatisfiable, requestArbitrary } from '../../generators/index.ts';
import type { GeneratorArbitrary, GeneratedRequest } from '../../generators/index.ts';
import { isSuccess } from '../../spec/index.ts';
import type { Operation } from '../../spec/index.ts';
import { domainGenerator } from '../../domain/builtin/bodies/domain-body.ts';
import { AGENT_ID } from '../../domain/builtin/bodies/identifiers.ts';
import { findOperation, operationOf, resourceFor } from '../../domain/builtin/operations.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import { tryPatch } from './attempts/patched.ts';
import type { PatchFixture } from './attempts/patched.ts';
import { makeSlots, NAME, sendCase } from './attempts/slot.ts';
import type { Slot, Slots } from './attempts/slot.ts';
import type { Case, RequestShrinker } from './case.ts';
import {
  BARE_JOB,
  EMPTY_JOB,
  failingCases,
  isSensible,
  JOB,
  patchOperations,
  patchCases,
  unusualPatchCases,
} from './cases/patches.ts';
import { placeholders } from './cases/plain.ts';
import { replayedCase, runProperty } from './run-property.ts';
import type { Property } from './run-property.ts';
import { sharedAgent } from '../../domain/builtin/agents.ts';

const session = await openSession();
const { contract, options } = session;
const operation = findOperation(contract, 'patchJob');

/** Number of jobs that are patched at the same time. */
const JOBS = 6;

/** So many that the default number of runs has all examples, each of which tests something of its own. */
const EXAMPLES_PER_RUN = 2.5;

type Cases = Pick<Property, 'examples' | 'draws' | 'casesPerRun'>;

interface PatchProperty {
  readonly title: string;
  readonly requirements: readonly string[];
  readonly casesOf: (generated: GeneratorArbitrary<GeneratedRequest> | undefined) => Cases;
}

const PROPERTIES: readonly PatchProperty[] = [
  {
    title: 'patches are applied as RFC 6902 defines, completely or not at all',
    requirements: ['jobs.patch-applies', 'errors.no-server-error'],
    casesOf: () => ({ examples: patchCases(session.allows('costly')), casesPerRun: EXAMPLES_PER_RUN }),
  },
  {
    title: 'patches that cannot be applied are refused and change nothing',
    requirements: ['jobs.patch-atomic', 'jobs.patch-bad-operation', 'errors.no-server-error'],
    casesOf: () => ({ examples: failingCases(), casesPerRun: EXAMPLES_PER_RUN }),
  },
  {
    title: 'patches with unusual texts and keys are applied',
    requirements: ['jobs.patch-applies', 'errors.no-server-error'],
    casesOf: () => ({ examples: unusualPatchCases(), casesPerRun: EXAMPLES_PER_RUN }),
  },
  {
    title: 'generated patches are applied as RFC 6902 defines',
    requirements: ['jobs.patch-applies'],
    casesOf: (generated) => ({
      examples: generated?.sweep(options.seed).map((request, form) => ({ request, form })) ?? [],
      draws: generated,
    }),
  },
];

if (operation !== undefined && session.knowledge.guarantees('storage', operation)) {
  for (const { title, requirements, casesOf } of PROPERTIES)
    defineTest(session, {
      suite: 'properties/patches',
      title,
      operation,
      effects: ['read', 'reversible'],
      cost: 4 * options.runs,
      checks: ['json-patch', 'no-server-error', 'answered'],
      requirements,
      run: (t) => runPatches(t, operation, casesOf),
    });
}

async function runPatches(t: TestContext, patch: Operation, casesOf: PatchProperty['casesOf']): Promise<void> {
  const { slots, fixture } = await t.once('patch fixture', () => prepare(t, patch));
  const arbitrary = patchesOf(patch, fixture);
  await runProperty(t, {
    operation: patch,
    ...casesOf(arbitrary),
    lanes: slots.all.length,
    shrinker: arbitrary === undefined ? undefined : sensible(arbitrary),
    aspects: (value, { code }) => (code === 'json-patch/not-atomic' ? [] : patchOperations(value)),
    test: (value, patient) =>
      slots.use((slot) => {
        const job = value.after === 'empty' ? EMPTY_JOB : fixture.job;
        const known = fixture.job === BARE_JOB ? withoutSkills(value) : value;
        return tryPatch(t, { ...fixture, job }, { value: known, slot, patient });
      }),
  });
}

/** Where the deployment accepts only skills that it knows, nothing is guaranteed for patches that add others. */
function withoutSkills(value: Case): Case {
  const { served: _served, ...rest } = value;
  return JSON.stringify(value.request.body?.value ?? null).includes('/allowedSkills') ? rest : value;
}

/** Shrinks within patches of members that jobs are known to have: patches of others may be refused. */
function sensible(arbitrary: GeneratorArbitrary<GeneratedRequest>): RequestShrinker {
  return {
    simplest: arbitrary.simplest,
    accepts: (value) => arbitrary.accepts(value),
    *shrink(value, context) {
      for (const step of arbitrary.shrink(value, context)) if (isSensible(step.value.body?.value)) yield step;
    },
  };
}

function patchesOf(patch: Operation, { job }: PatchFixture): GeneratorArbitrary<GeneratedRequest> | undefined {
  const body = domainGenerator(contract, patch.id, { document: job });
  const path = placeholders(patch);
  const arbitrary = requestArbitrary(contract, patch, { path, ...(body === undefined ? {} : { body }) });
  return isUnsatisfiable(arbitrary) ? undefined : arbitrary;
}

async function prepare(t: TestContext, patch: Operation): Promise<{ slots: Slots; fixture: PatchFixture }> {
  const resource = resourceFor(t.session, 'createJob');
  const [read, replace] = [operationOf(t.session, 'readJob'), operationOf(t.session, 'updateJob')];
  const agent = await sharedAgent(t);
  const count = replayedCase(session) === undefined ? JOBS : 1;
  const jobs = await Promise.all(Array.from({ length: count }, () => create(t, resource, { suffix: 'patch' })));
  const all = jobs.map(({ path, name }): Slot => ({ path, ids: { [AGENT_ID]: agent.id, [NAME]: name } }));
  const slots = makeSlots(all);
  const request = { path: {}, query: {}, headers: {}, body: { type: 'application/json', value: JOB } };
  const { response } = await slots.use((slot) => sendCase(t, replace, { form: 0, request }, slot));
  const job = isSuccess(response?.status ?? 0) ? JOB : BARE_JOB;
  return { slots, fixture: { resource, read, replace, operation: patch, job } };
}

import type { Json, Operation } from '../../spec/index.ts';
import { isObject, isSuccess, scalarText } from '../../spec/index.ts';
import { isUnsatisfiable, requestArbitrary } from '../../generators/index.ts';
import type { CaseArbitrary, GeneratedRequest } from '../../generators/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { TestContext } from '../kit/context.ts';
import { makeLanes } from './attempts/lanes.ts';
import type { Lanes } from './attempts/lanes.ts';
import { tryPatch } from './attempts/patched.ts';
import type { PatchBench } from './attempts/patched.ts';
import { NAME, sendCase } from './attempts/stage.ts';
import type { Stage } from './attempts/stage.ts';
import { BARE_JOB, EMPTY_JOB, failingCases, isSensible, JOB, oddPatchCases, patchCases } from './cases/patches.ts';
import { placeholders } from './cases/plain.ts';
import type { Case } from './hunt/case.ts';
import { hunt } from './hunt/hunt.ts';
import type { Shrinker } from './hunt/shrink.ts';
import { domainGenerator } from '../../domain/builtin/bodies/domain-body.ts';
import { createWithReferences } from '../../domain/requests.ts';
import { OPERATIONS, operationOf, resourceFor } from '../../domain/builtin/operations.ts';
import { sharedAgent } from '../../domain/builtin/make.ts';
import { AGENT_ID } from '../../domain/builtin/knowledge.ts';

const session = await openSession();
const { contract, options } = session;
const operation = contract.operation(OPERATIONS.patchJob);

if (operation !== undefined && session.knowledge.guarantees('storage', operation)) {
  defineTest(
    session,
    {
      suite: 'properties/patches',
      title: 'patches do what RFC 6902 says, wholly or not at all',
      operation,
      effects: ['read', 'reversible'],
      cost: 4 * options.runs,
      checks: ['json-patch', 'no-server-error', 'answered'],
      requirements: ['jobs.patch-applies', 'errors.no-server-error'],
    },
    (t) => patches(t, operation, patchCases),
  );
  defineTest(
    session,
    {
      suite: 'properties/patches',
      title: 'patches that fail are refused and change nothing',
      operation,
      effects: ['read', 'reversible'],
      cost: 4 * options.runs,
      checks: ['json-patch', 'no-server-error', 'answered'],
      requirements: ['jobs.patch-atomic', 'jobs.patch-bad-operation', 'errors.no-server-error'],
    },
    (t) => patches(t, operation, failingCases),
  );
  defineTest(
    session,
    {
      suite: 'properties/patches',
      title: 'whatever texts and keys a patch brings',
      operation,
      effects: ['read', 'reversible'],
      cost: 4 * options.runs,
      checks: ['json-patch', 'no-server-error', 'answered'],
      requirements: ['jobs.patch-applies', 'errors.no-server-error'],
    },
    (t) => patches(t, operation, oddPatchCases),
  );
  defineTest(
    session,
    {
      suite: 'properties/patches',
      title: 'generated patches do what RFC 6902 says',
      operation,
      effects: ['read', 'reversible'],
      cost: 4 * options.runs,
      checks: ['json-patch', 'no-server-error', 'answered'],
      requirements: ['jobs.patch-applies'],
    },
    (t) => patches(t, operation, (generated) => generated),
  );
}

async function patches(
  t: TestContext,
  patch: Operation,
  casesOf: (generated: Iterable<Case>) => Iterable<Case>,
): Promise<void> {
  const { lanes, bench } = await t.session.once('bench of patches', () => prepare(t, patch));
  const arbitrary = patchesOf(patch, bench);
  const generated = arbitrary === undefined ? [] : requests(arbitrary);
  await hunt(t, {
    operation: patch,
    cases: casesOf(generated),
    inFlight: lanes.all.length,
    ...(arbitrary === undefined ? {} : { arbitrary: sensible(arbitrary) }),
    attempt: (value, patient) =>
      lanes.use((stage) =>
        tryPatch(
          t,
          value.after === 'empty' ? { ...bench, job: EMPTY_JOB } : bench,
          bench.job === BARE_JOB ? withoutSkills(value) : value,
          stage,
          patient,
        ),
      ),
    naming: operationsIn,
  });
}

/** A deployment that takes only skills that it knows promises nothing about patches that bring others. */
function withoutSkills(value: Case): Case {
  const { served, ...rest } = value;
  return served === true && !JSON.stringify(value.request.body?.value ?? null).includes('/allowedSkills')
    ? value
    : rest;
}

/** The operations of a patch, for a cause. */
function operationsIn({ request, label }: Case, kind: string): string {
  if (kind.startsWith('changed by')) return '';
  const steps = request.body?.value;
  if (!Array.isArray(steps)) return label ?? 'no patch';
  const telling: readonly Json[] = label === undefined ? steps : steps.slice(-1);
  return (
    [...new Set(telling.map((each) => (isObject(each) ? scalarText(each['op']) : 'no operation')))].sort().join(', ') ||
    'an empty patch'
  );
}

/** Patches of members that jobs are known to have: how far others may be patched is the deployment's affair. */
function sensible(arbitrary: CaseArbitrary<GeneratedRequest>): Shrinker {
  return {
    simplest: arbitrary.simplest,
    accepts: (value) => arbitrary.accepts(value),
    *shrink(value, context) {
      for (const step of arbitrary.shrink(value, context)) if (isSensible(step.value.body?.value)) yield step;
    },
  };
}

function patchesOf(patch: Operation, { job }: PatchBench): CaseArbitrary<GeneratedRequest> | undefined {
  const body = domainGenerator(contract, patch.id, { document: job });
  const arbitrary = requestArbitrary(contract, patch, {
    path: placeholders(patch),
    ...(body === undefined ? {} : { body }),
  });
  return isUnsatisfiable(arbitrary) ? undefined : arbitrary;
}

function* requests(arbitrary: CaseArbitrary<GeneratedRequest>): Iterable<Case> {
  const sweep = arbitrary.sweep(options.seed);
  for (let form = 0; ; form += 1) yield { request: sweep[form] ?? arbitrary.at(form, options.seed), form };
}

async function prepare(t: TestContext, patch: Operation): Promise<{ lanes: Lanes<Stage>; bench: PatchBench }> {
  const resource = resourceFor(t.session, 'createJob');
  const agent = await sharedAgent(t);
  const jobs = await Promise.all(
    Array.from({ length: options.path === undefined ? 6 : 1 }, () =>
      createWithReferences(t, resource, { suffix: 'patch' }),
    ),
  );
  const stages = jobs.map(({ id, name }): Stage => ({
    path: { [resource.idName]: id },
    ids: { [AGENT_ID]: agent.id, [NAME]: name },
  }));
  const [first] = stages;
  const whole =
    first === undefined
      ? undefined
      : await sendCase(
          t,
          operationOf(t.session, 'updateJob'),
          { form: 0, request: { path: {}, query: {}, headers: {}, body: { type: 'application/json', value: JOB } } },
          first,
        );
  return {
    lanes: makeLanes(stages),
    bench: { resource, operation: patch, job: isSuccess(whole?.response?.status ?? 0) ? JOB : BARE_JOB },
  };
}

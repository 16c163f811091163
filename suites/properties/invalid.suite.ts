import type { CheckName, Json, Operation } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { resourceOf, resourcesOf } from '../../domain/resources.ts';
import { openSession } from '../kit/session.ts';
import type { TestContext } from '../kit/context.ts';
import { sendTwice } from './attempts/again.ts';
import { benchOf } from './attempts/bench.ts';
import type { Bench } from './attempts/bench.ts';
import { refusedCreations } from './attempts/leftovers.ts';
import { trySpoilt } from './attempts/refused.ts';
import type { Stage } from './attempts/stage.ts';
import { requestsOf } from './cases/plain.ts';
import { brokenBy, mended, spoiltCases, spoiltShrinker } from './cases/spoilt.ts';
import type { Case } from './hunt/case.ts';
import { keyOf } from './hunt/flaw.ts';
import type { Flaw } from './hunt/flaw.ts';
import { hunt } from './hunt/hunt.ts';
import { validRequest } from '../../domain/requests.ts';

const session = await openSession();
const { contract, options } = session;
const resources = resourcesOf(contract);

for (const operation of contract.operations) {
  if (operation.parameters.length === 0 && operation.body === undefined) continue;
  const resource = resourceOf(resources, operation);
  const stores =
    operation.body !== undefined &&
    resource !== undefined &&
    (operation === resource.replace || operation === resource.patch);
  const checks: readonly CheckName[] = [
    'no-server-error',
    'answered',
    ...(stores ? ['refused-changes-nothing' as const] : []),
    'invalid-refused',
  ];
  const base = { suite: 'properties/invalid', operation, effects: ['read', operation.effect] as const };
  defineTest(
    session,
    {
      ...base,
      title: 'invalid requests are refused or do no harm',
      checks,
      cost: options.runs,
      requirements: [
        'errors.no-server-error',
        ...(stores ? ['errors.refused-changes-nothing', 'errors.validation'] : []),
      ],
    },
    (t) => spoilt(t, operation),
  );
}

for (const resource of resources) {
  const { create, list } = resource;
  if (list === undefined || create.body === undefined) continue;
  defineTest(
    session,
    {
      suite: 'properties/invalid',
      title: 'creations that are refused store nothing',
      operation: create,
      effects: ['read', create.effect],
      alone: true,
      checks: ['refused-changes-nothing'],
      requirements: ['errors.validation', 'errors.refused-changes-nothing'],
      cost: 60,
    },
    async (t) => {
      const bench = await benchOf(t, create);
      await refusedCreations(
        t,
        resource,
        spoiltCases(contract, create, bench.arbitrary),
        bench.stages.all[0] ?? { path: {} },
      );
    },
  );
}

async function spoilt(t: TestContext, operation: Operation): Promise<void> {
  const resource = resourceOf(resources, operation);
  const bench = await benchFor(t, operation);
  if (bench === undefined) t.skip(`no request of ${operation.id} can be made from the description`);
  await hunt(t, {
    operation,
    cases: spoiltCases(contract, operation, bench.arbitrary),
    arbitrary: spoiltShrinker(contract, operation, bench.arbitrary),
    ...(operation.body !== undefined && resource === undefined
      ? { again: () => sendTwice(t, { operation, ...bench }) }
      : {}),
    attempt: (value, patient) =>
      bench.stages.use(async (stage) => {
        const own = ownParts(stage, value.request.path, bench);
        const flaws = await itsOwn(
          t,
          operation,
          { value, arbitrary: bench.arbitrary },
          own,
          await trySpoilt(t, operation, resource, value, own, patient),
        );
        const broken =
          value.rawBody === undefined
            ? brokenBy(contract, operation, value.request.body?.value)
            : 'a body that is no JSON';
        return flaws.map((each) => ({
          ...each,
          kind: each.check === 'invalid-refused' ? `${each.kind}: ${broken ?? value.label ?? ''}` : each.kind,
        }));
      }),
  });
}

/** Flaws that the request would not have without what is invalid in it. */
async function itsOwn(
  t: TestContext,
  operation: Operation,
  { value, arbitrary }: { value: Case; arbitrary: Bench['arbitrary'] },
  stage: Stage,
  flaws: readonly Flaw[],
): Promise<readonly Flaw[]> {
  const request =
    flaws.length === 0 || value.rawBody !== undefined
      ? undefined
      : mended(contract, operation, value.request, arbitrary.simplest);
  if (request === undefined) return flaws;
  const known = new Set(
    (await trySpoilt(t, operation, resourceOf(resources, operation), { ...value, request }, stage, false)).map(keyOf),
  );
  return flaws.filter((each) => !known.has(keyOf(each)));
}

/** Values of the path, but for the one that the case is about. */
function ownParts(stage: Stage, path: Readonly<Record<string, Json>>, { arbitrary }: Pick<Bench, 'arbitrary'>): Stage {
  const own = Object.entries(stage.path).filter(
    ([name]) => path[name] === undefined || path[name] === arbitrary.simplest.path[name],
  );
  return { ...stage, path: Object.fromEntries(own) };
}

/** The bench of an operation with a body; the others need only a path. */
async function benchFor(
  t: TestContext,
  operation: Operation,
): Promise<Pick<Bench, 'arbitrary' | 'stages'> | undefined> {
  if (operation.body !== undefined && operation.effect !== 'global') return benchOf(t, operation);
  const arbitrary = requestsOf(contract, operation);
  if (arbitrary === undefined) return undefined;
  const { path } = await validRequest(t, operation, undefined, operation.method === 'GET' ? 'shared' : 'victim');
  const stage = { path };
  return { arbitrary, stages: { all: [stage], use: (work) => work(stage) } };
}

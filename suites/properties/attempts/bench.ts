import type { CaseArbitrary, GeneratedRequest } from '../../../generators/index.ts';
import type { Operation } from '../../../spec/index.ts';
import { resourcesOf } from '../../../domain/resources.ts';
import type { Resource } from '../../../domain/resources.ts';
import { Skip } from '../../kit/context.ts';
import type { TestContext } from '../../kit/context.ts';
import { fullRequest, requestsOf, sampleRequest } from '../cases/plain.ts';
import { isPromised } from '../cases/promised.ts';
import { decodeCase } from '../hunt/case.ts';
import type { Case } from '../hunt/case.ts';
import { learnSilent } from './learn.ts';
import { makeLanes } from './lanes.ts';
import type { Lanes } from './lanes.ts';
import { tryServed } from './served.ts';
import type { Outcome, Stage } from './stage.ts';
import { tryCreate, tryReplace } from './stored.ts';
import type { Before, Store } from './stored.ts';
import { createWithReferences, validRequest } from '../../../domain/requests.ts';

/** Everything that is needed to try requests of one operation. */
export interface Bench {
  readonly operation: Operation;
  readonly arbitrary: CaseArbitrary<GeneratedRequest>;
  /** A plain request that is served. */
  readonly base: GeneratedRequest;
  readonly stages: Lanes<Stage>;
  /** Members that the deployment does not give back as they were sent, where something is stored. */
  readonly habits?: readonly string[];
  attempt(t: TestContext, value: Case, patient: boolean): Promise<Outcome>;
}

/** Items that updates work on, each by one case at a time. */
const ITEMS = 12;

/** Requests of an operation that are under way at once, where they don't share an item. */
const AT_ONCE = 32;

/** The bench of an operation, made once in a run. */
export function benchOf(t: TestContext, operation: Operation): Promise<Bench> {
  return t.session.once(`bench ${operation.id}`, () => makeBench(t, operation));
}

async function makeBench(t: TestContext, operation: Operation): Promise<Bench> {
  const { contract } = t.session;
  const arbitrary = requestsOf(contract, operation);
  if (arbitrary === undefined) throw new Skip(`no request of ${operation.id} can be made from the description`);
  const resource = resourcesOf(contract).find((each) => each.create === operation || each.replace === operation);
  const stages = await stagesOf(t, operation, resource);
  const attempt = attemptOf(operation, resource, stages);
  const parts = { operation, arbitrary, stages };
  const replayed = replayedCase(t);
  const base =
    replayed?.habits === undefined || replayed.after !== undefined
      ? await workingBase(t, { operation, arbitrary, attempt })
      : fullRequest(operation, arbitrary);
  if (resource === undefined) return { ...parts, base, attempt };
  const before = beforeOf(t, resource, base);
  const silent =
    replayed?.habits === undefined ? await learnSilent(t, { ...parts, base, resource }) : new Set(replayed.habits);
  const store = { resource, before, silent, ...sentence(t, operation, resource) };
  return { ...parts, base, habits: [...silent], attempt: attemptOf(operation, resource, stages, store) };
}

/** What the run that is replayed learned need not be learned again: a replay is a handful of requests. */
function replayedCase({ session }: TestContext): Case | undefined {
  const { path } = session.options;
  return path === undefined ? undefined : decodeCase(path);
}

function beforeOf(t: TestContext, resource: Resource, full: GeneratedRequest): Before {
  return {
    full,
    fresh: async (stage) => ({
      ...stage,
      path: { ...stage.path, [resource.idName]: (await createWithReferences(t, resource, { suffix: 'new' })).id },
    }),
  };
}

function sentence(t: TestContext, operation: Operation, resource: Resource): { requirement?: string } {
  const requirements = t.knowledge.lifecycleRequirements(resource);
  const id = operation === resource.create ? requirements.stores : requirements.update[0];
  return id === undefined ? {} : { requirement: id };
}

function attemptOf(
  operation: Operation,
  resource: Resource | undefined,
  stages: Lanes<Stage>,
  store?: Store,
): Bench['attempt'] {
  return (t, value, patient) =>
    stages.use((stage) => {
      if (store === undefined || resource === undefined)
        return tryServed(t, operation, promised(operation, value), stage);
      if (operation === resource.create) return tryCreate(t, store, value, stage, patient);
      return tryReplace(t, store, operation, value, stage, patient).then((outcome) => fromTheStart(t, stage, outcome));
    });
}

/** The steps of a flaw begin with how the item was made, so that a reader can make one. */
function fromTheStart(t: TestContext, { made }: Stage, outcome: Outcome): Outcome {
  if (made === undefined || t.hasViolation(made)) return outcome;
  return { ...outcome, flaws: outcome.flaws.map((each) => ({ ...each, exchanges: [made, ...each.exchanges] })) };
}

function promised(operation: Operation, value: Case): Case {
  const taken = value.rawBody === undefined ? isPromised(operation.id, value.request.body?.value) : undefined;
  return taken === undefined ? value : { ...value, served: taken };
}

async function stagesOf(t: TestContext, operation: Operation, resource: Resource | undefined): Promise<Lanes<Stage>> {
  const ids = await idsFor(t, operation);
  if (operation === resource?.replace) {
    const made = await Promise.all(
      Array.from({ length: replayedCase(t) === undefined ? ITEMS : 1 }, () =>
        createWithReferences(t, resource, { suffix: 'lane' }),
      ),
    );
    return makeLanes(made.map(({ id, created }) => ({ path: { [resource.idName]: id }, ids, made: created })));
  }
  const { path = {} } = operation === resource?.create ? {} : await validRequest(t, operation);
  return makeLanes(Array.from({ length: AT_ONCE }, () => ({ path, ids })));
}

async function idsFor(t: TestContext, operation: Operation): Promise<Readonly<Record<string, string>>> {
  if (operation.body === undefined || !t.allows('reversible')) return {};
  return t.knowledge.placeholders?.(t, operation) ?? {};
}

/** The fullest plain request that is served; a deployment may not know every action, skill or source that it names. */
async function workingBase(
  t: TestContext,
  { operation, arbitrary, attempt }: Pick<Bench, 'operation' | 'arbitrary' | 'attempt'>,
): Promise<GeneratedRequest> {
  const full = fullRequest(operation, arbitrary);
  if (full.body === undefined) return full;
  const { flaws } = await attempt(t, { request: full, form: 0, served: true }, true);
  return flaws.some((each) => each.check === 'valid-request-served' || each.check === 'no-server-error')
    ? sampleRequest(operation, arbitrary)
    : full;
}

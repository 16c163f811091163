import { create } from '../../../domain/create.ts';
import type { GeneratorArbitrary, GeneratedRequest } from '../../../generators/index.ts';
import type { Operation } from '../../../spec/index.ts';
import { checkOf } from '../../../spec/index.ts';
import { validRequest } from '../../../domain/requests.ts';
import { resourcesOf } from '../../../domain/resources.ts';
import type { Resource } from '../../../domain/resources.ts';
import { Skip } from '../../kit/context.ts';
import type { TestContext } from '../../kit/context.ts';
import { fullRequest, isGuaranteedBody, generatedRequests, sampleRequest } from '../cases/plain.ts';
import type { Case } from '../case.ts';
import { replayedCase } from '../run-property.ts';
import { learnNotReturned } from './learn.ts';
import { tryServed } from './served.ts';
import { makeSlots } from './slot.ts';
import type { CaseOutcome, Slots } from './slot.ts';
import { tryCreate, tryReplace } from './stored.ts';
import type { Before, Store } from './stored.ts';

/** What is needed to test requests of one operation. */
export interface Fixture {
  readonly operation: Operation;
  readonly arbitrary: GeneratorArbitrary<GeneratedRequest>;
  /** A plain request that is served. */
  readonly base: GeneratedRequest;
  readonly slots: Slots;
  /** The plain sample that the deployment accepts. */
  readonly sample: GeneratedRequest;
  /** Members that the deployment does not return as they were sent, where something is stored. */
  readonly notReturned?: readonly string[];
  test(t: TestContext, value: Case, patient: boolean): Promise<CaseOutcome>;
}

/** Number of items that updates work on. */
const ITEMS = 12;

/** Number of concurrent requests, where they do not share an item. */
const CONCURRENT_REQUESTS = 32;

/** The fixture of an operation, made once per run. */
export function fixtureFor(t: TestContext, operation: Operation): Promise<Fixture> {
  return t.once(`property fixture ${operation.id}`, () => makeFixture(t, operation));
}

async function makeFixture(t: TestContext, operation: Operation): Promise<Fixture> {
  const arbitrary = generatedRequests(t.contract, operation);
  if (arbitrary === undefined) throw new Skip(`no request of ${operation.id} can be generated from the description`);
  const resource = resourcesOf(t.contract).find((each) => each.create === operation || each.replace === operation);
  const slots = await slotsFor(t, operation);
  const references = resource === undefined ? {} : await t.knowledge.references(t, operation, {});
  const sample = sampleRequest(operation, arbitrary, references);
  const parts = { operation, arbitrary, slots, sample };
  const test = testOf(operation, resource, slots);
  const replayed = replayedCase(t.session);
  const isLearned = replayed?.notReturned !== undefined;
  const base =
    isLearned && replayed.after === undefined
      ? fullRequest(operation, arbitrary)
      : await servedRequest(t, { operation, arbitrary, sample, test });
  if (resource === undefined) return { ...parts, base, test };
  const notReturned = isLearned
    ? new Set(replayed.notReturned)
    : await learnNotReturned(t, { ...parts, base, resource });
  const store = {
    resource,
    notReturned,
    before: beforeOf(t, resource, base),
    ...requirementOf(t, operation, resource),
  };
  return { ...parts, base, notReturned: [...notReturned], test: testOf(operation, resource, slots, store) };
}

function beforeOf(t: TestContext, resource: Resource, full: GeneratedRequest): Before {
  return {
    full,
    fresh: async (slot) => {
      const { path, created } = await create(t, resource, { suffix: 'new' });
      return { ...slot, path: { ...slot.path, ...path }, created };
    },
  };
}

function requirementOf(t: TestContext, operation: Operation, resource: Resource): { requirement?: string } {
  const { stores, update } = t.knowledge.lifecycleRequirements(resource);
  const requirement = operation === resource.create ? stores : update[0];
  return requirement === undefined ? {} : { requirement };
}

function testOf(operation: Operation, resource: Resource | undefined, slots: Slots, store?: Store): Fixture['test'] {
  return (t, value, patient) =>
    slots.use((slot) => {
      if (store === undefined || resource === undefined)
        return tryServed(t, operation, withGuarantee(operation, value), slot);
      if (operation === resource.create) return tryCreate(t, store, { value, slot, patient });
      return tryReplace(t, store, operation, { value, slot, patient });
    });
}

function withGuarantee(operation: Operation, value: Case): Case {
  const served = value.rawBody === undefined ? isGuaranteedBody(operation.id, value.request.body?.value) : undefined;
  return served === undefined ? value : { ...value, served };
}

/** Requests that change an item have items of their own: what one of them changes must not be taken for the effect of another. */
async function slotsFor(t: TestContext, operation: Operation): Promise<Slots> {
  const ids = await idsFor(t, operation);
  const resources = resourcesOf(t.contract);
  const changed = resources.find(({ replace, patch }) => replace === operation || patch === operation);
  if (changed !== undefined) {
    const count = replayedCase(t.session) === undefined ? ITEMS : 1;
    const items = await Promise.all(Array.from({ length: count }, () => create(t, changed, { suffix: 'slot' })));
    return makeSlots(items.map(({ path, created }) => ({ path, ids, created })));
  }
  const isCreation = resources.some(({ create }) => create === operation);
  const { path = {} } = isCreation ? {} : await validRequest(t, operation);
  return makeSlots(Array.from({ length: CONCURRENT_REQUESTS }, () => ({ path, ids })));
}

async function idsFor(t: TestContext, operation: Operation): Promise<Readonly<Record<string, string>>> {
  if (operation.body === undefined) return {};
  return t.knowledge.placeholders?.(t, operation) ?? {};
}

/** The request with every member where it is served, else the sample: a deployment may not know each action, skill or source. */
async function servedRequest(
  t: TestContext,
  { operation, arbitrary, sample, test }: Pick<Fixture, 'operation' | 'arbitrary' | 'sample' | 'test'>,
): Promise<GeneratedRequest> {
  const full = fullRequest(operation, arbitrary);
  if (full.body === undefined) return full;
  const { violations } = await test(t, { request: full, form: 0, served: true }, true);
  const isRefused = violations.some(({ code }) => ['valid-request-served', 'no-server-error'].includes(checkOf(code)));
  return isRefused ? sample : full;
}

import { constantFrom, integer, tuple } from 'fast-check';
import type { Exchange, Json, Operation, Parameter } from '../../spec/index.ts';
import { findOperation, OPERATIONS } from '../../domain/builtin/operations.ts';
import { settled } from '../../domain/context.ts';
import { listFixtureFor, whileSteady } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import { pagingOf, walk } from '../../domain/read-list.ts';
import { resourcesOf } from '../../domain/resources.ts';
import type { Resource } from '../../domain/resources.ts';
import type { TestContext } from '../kit/context.ts';
import { defineTest } from '../kit/define-test.ts';
import { parameterSchema } from '../kit/schema-parts.ts';
import { openSession } from '../kit/session.ts';
import { eventually } from '../kit/polling.ts';
import { fixtureFor } from './attempts/fixture.ts';
import type { Listing } from './attempts/items.ts';
import { tryListed, violatingCases } from './attempts/listed.ts';
import { tryHalves, tryPages } from './attempts/paged.ts';
import { fewerParameters, orderings, tryReordered } from './attempts/reordered.ts';
import { SEARCH, trySearched } from './attempts/searched.ts';
import type { Case } from './case.ts';
import { placeholders, generatedRequests } from './cases/plain.ts';
import { unusualItems, unusualNames } from './cases/unusual-items.ts';
import { replayedCase, runProperty } from './run-property.ts';
import type { CaseViolation, CaseViolations } from './violation.ts';

const session = await openSession();
const { contract, options } = session;

/** Shares of the usual number of cases: reading a list takes several requests, and lists are short. */
const SHARE = 0.3;
const FLAG_SHARE = 0.15;

for (const operation of contract.operations)
  if (pagingOf(operation) !== undefined && operation.method === 'GET') declarePaging(operation);

function declarePaging(operation: Operation): void {
  const base = {
    suite: 'properties/lists',
    operation,
    effects: ['read', operation.effect] as const,
    cost: 4 * options.runs,
  };
  defineTest(session, {
    ...base,
    title: 'with any page size, each item is on exactly one page',
    checks: ['paging-partition'],
    requirements: ['paging.partition'],
    run: async (t) => {
      const fixture = await isolated(t, operation);
      await runPaging(t, fixture, SHARE, async (value) => {
        const isWrong = (found: readonly CaseViolation[]): boolean => found.length > 0;
        return filled(fixture, await whileSteady(fixture, () => tryPages(t, fixture, value), isWrong));
      });
    },
  });
  defineTest(session, {
    ...base,
    title: 'the order of query parameters does not matter',
    checks: ['query-styles'],
    cost: 20,
    run: async (t) => {
      const fixture = await isolated(t, operation);
      const plain = { path: placeholders(operation), query: {}, headers: {} };
      await runProperty(t, {
        operation,
        examples: [...orderings(fixture)].map((query, form) => ({ form, request: { ...plain, query } })),
        shrinker: fewerParameters(plain),
        test: async (value) => filled(fixture, await tryReordered(t, fixture, value)),
        lanes: 4,
      });
    },
  });
  for (const flag of operation.parameters.filter(isFilterFlag))
    defineTest(session, {
      ...base,
      title: `${flag.name}=true and ${flag.name}=false return each item once`,
      checks: ['filters'],
      requirements: ['policies.filter-active'],
      run: async (t) => {
        const fixture = await isolated(t, operation);
        const activated = await activateHalf(t, fixture);
        await runPaging(t, fixture, FLAG_SHARE, async (value) => {
          const found = await tryHalves(t, fixture, value, flag.name, 'policies.filter-active');
          return filled(fixture, found.map(withActivation(activated)));
        });
      },
    });
}

/** The violations, with the requests that filled the list. */
function filled({ filledBy: setup }: ListFixture, violations: readonly CaseViolation[]): readonly CaseViolation[] {
  return setup === undefined ? violations : violations.map((each) => ({ ...each, setup }));
}

for (const resource of resourcesOf(contract))
  if (session.knowledge.guarantees('filters', resource.create)) declareItems(resource);

function declareItems(resource: Resource): void {
  const { list, read, create } = resource;
  if (list === undefined || read === undefined || create.body === undefined) return;
  const listingOf = async (t: TestContext): Promise<Listing> => ({
    resource,
    list,
    read,
    bodiless: bodilessOperations(resource),
    fixture: await fixtureFor(t, create),
  });
  if (list.parameters.some(({ name }) => name === SEARCH))
    defineTest(session, {
      suite: 'properties/lists',
      title: 'searchName finds items with unusual names',
      operation: list,
      effects: ['read', create.effect],
      checks: ['filters', 'no-server-error', 'form-equivalence'],
      requirements: ['policies.search-name', 'forms.equivalent'],
      cost: 4 * options.runs,
      run: async (t) => {
        const listing = await listingOf(t);
        const { arbitrary, notReturned, sample } = listing.fixture;
        await runProperty(t, {
          operation: list,
          examples: unusualNames(sample),
          shrinker: arbitrary,
          notReturned,
          test: (value, patient) => trySearched(t, listing, value, patient),
        });
      },
    });
  defineTest(session, {
    suite: 'properties/lists',
    title: 'items with unusual texts are listed as they read back, and can be used',
    operation: list,
    effects: ['read', create.effect],
    isolated: true,
    checks: ['no-server-error', 'answered', 'body-fits-schema', 'created-reads-back', 'response-media-types'],
    requirements: ['errors.no-server-error'],
    cost: options.runs,
    run: async (t) => {
      const listing = await listingOf(t);
      const { arbitrary, notReturned, sample } = listing.fixture;
      const isReplay = replayedCase(session) !== undefined;
      const items = [...unusualItems(sample)];
      await runProperty(t, {
        operation: create,
        examples: isReplay ? [] : await violatingCases(t, listing, items),
        shrinker: arbitrary,
        notReturned,
        test: (value, patient) => tryListed(t, listing, value, patient),
        lanes: 1,
      });
    },
  });
}

/** Operations below an item that need no body and no further ids. */
function bodilessOperations({ remove }: Resource): readonly Operation[] {
  return contract.operations.filter(
    ({ path, method, body, effect }) =>
      path.startsWith(`${remove.path}/`) &&
      !path.slice(remove.path.length).includes('{') &&
      body === undefined &&
      (method === 'GET' || effect === 'reversible'),
  );
}

function isFilterFlag(parameter: Parameter): boolean {
  const { name, in: place } = parameter;
  return place === 'query' && /^filter/i.test(name) && parameterSchema(contract, parameter)['type'] === 'boolean';
}

/** Requests that activated policies, by their ids. */
type Activated = ReadonlyMap<string, Exchange>;

/** Activates every other policy of a list, so that neither half is empty; once per run. */
function activateHalf(t: TestContext, { operation, ids, request }: ListFixture): Promise<Activated> {
  const activate = findOperation(contract, 'activate');
  if (operation.id !== OPERATIONS.policies || activate === undefined) return Promise.resolve(new Map());
  const own = [...ids].filter((id, index) => index % 2 === 0 && t.isOwn(id));
  return t.once('half of the policies are active', async () => {
    const send = (id: string): Promise<Exchange> => t.sendQuietly(activate, { path: { id }, label: 'activate' });
    const sent = await Promise.all(own.map(async (id) => [id, await send(id)] as const));
    const active = { ...request, query: { ...request.query, filterActive: true }, label: 'filterActive=true' };
    await settled(t, async () => {
      const shown = (await walk(t, operation, active))?.ids;
      return shown !== undefined && own.every((id) => shown.includes(id));
    });
    return new Map(sent);
  });
}

/** Adds the request that activated the item that is listed in both halves, or in neither. */
const withActivation =
  (activated: Activated) =>
  (violation: CaseViolation): CaseViolation => {
    const activation = activated.get(violation.received);
    return activation === undefined ? violation : { ...violation, exchanges: [activation, ...violation.exchanges] };
  };

async function isolated(t: TestContext, operation: Operation): Promise<ListFixture> {
  const fixture = await listFixtureFor(t, operation);
  return fixture.isolated ? fixture : t.skip('others may change this list during the test');
}

/** Page sizes, those that find most first. */
const SIZES = [1, 2, 3, 5, 7, 10, 4, 6, 8, 9, 11, 13, 16, 20, 50, 100];

/** Runs a property of pages, with page sizes up to the size of the list, in the orders of the list alternately. */
async function runPaging(
  t: TestContext,
  { operation, ids }: ListFixture,
  share: number,
  test: (value: Case) => CaseViolations,
): Promise<void> {
  const orders = ordersOf(operation);
  const most = Math.ceil(options.runs * share);
  const plain = { path: placeholders(operation), query: {}, headers: {} };
  const requestOf = (size: number, order: Query | undefined): Case['request'] => ({
    ...plain,
    query: { [pagingOf(operation)?.size ?? '']: size, ...order },
  });
  const sizes = [
    ...SIZES.slice(0, 6),
    ids.size - 1,
    ids.size,
    ids.size + 1,
    Math.ceil(ids.size / 2),
    ...SIZES.slice(6),
  ];
  const first = sizes.filter((size) => size > 0);
  const examples = first.map((size, form) => ({ form, request: requestOf(size, orders[form % orders.length]) }));
  await runProperty(t, {
    operation,
    examples,
    draws: tuple(integer({ min: 1, max: ids.size + 3 }), constantFrom(...orders)).map(([size, order]) =>
      requestOf(size, order),
    ),
    most,
    test: (value, patient) => lasting(patient, () => test(value)),
    lanes: 4,
    ...(generatedRequests(contract, operation) === undefined ? {} : { plain }),
  });
}

/** The violations that remain for as long as a change may take to become visible. */
async function lasting(patient: boolean, evaluate: () => CaseViolations): CaseViolations {
  let violations: readonly CaseViolation[] = [];
  await eventually(session, patient, async () => {
    violations = await evaluate();
    return violations.find((each) => each.isFinal !== true);
  });
  return violations;
}

type Query = Readonly<Record<string, Json>>;

function ordersOf({ parameters }: Operation): readonly Query[] {
  const has = (name: string): boolean => parameters.some((each) => each.in === 'query' && each.name === name);
  return [
    {},
    ...(has('orderBy') ? [{ orderBy: 'name' }, { orderBy: 'description' }] : []),
    ...(has('orderBy') && has('orderAsc')
      ? [{ orderBy: 'name', orderAsc: false }, { orderAsc: false }, { orderBy: 'name', orderAsc: true }]
      : []),
    ...(has('sortDirection') ? [{ sortDirection: 0 }, { sortDirection: 1 }] : []),
  ];
}

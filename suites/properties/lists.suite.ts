import type { Json, Operation, Parameter } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';
import { defineTest } from '../kit/define-test.ts';
import { resourcesOf } from '../../domain/resources.ts';
import type { Resource } from '../../domain/resources.ts';
import { openSession } from '../kit/session.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import type { TestContext } from '../kit/context.ts';
import { pagingOf, walk } from '../../domain/read-list.ts';
import { benchOf } from './attempts/bench.ts';
import { makeLanes } from './attempts/lanes.ts';
import { oddlyListed, tryListed } from './attempts/listed.ts';
import type { Listing } from './attempts/listing.ts';
import { tryHalves, tryPages } from './attempts/paged.ts';
import { eventually } from './attempts/patience.ts';
import { dice } from './cases/member-states.ts';
import { SEARCH, trySearched } from './attempts/searched.ts';
import { fewerParameters, orderings, tryReordered } from './attempts/reordered.ts';
import { oddItems, oddNames } from './cases/odd-items.ts';
import { placeholders, requestsOf, sampleRequest } from './cases/plain.ts';
import type { Case } from './hunt/case.ts';
import type { Flaw } from './hunt/flaw.ts';
import { hunt } from './hunt/hunt.ts';
import { settled } from '../../domain/context.ts';
import { listFixtureFor } from '../../domain/list-fixture.ts';
import { OPERATIONS } from '../../domain/builtin/operations.ts';

const session = await openSession();
const { contract, options } = session;

/** Walks are several requests each, and lists are short. */
const SHARE = 0.5;

for (const operation of contract.operations) {
  const paging = pagingOf(operation);
  if (paging === undefined || operation.method !== 'GET') continue;
  const base = {
    suite: 'properties/lists',
    operation,
    effects: ['read', operation.effect] as const,
    cost: 4 * options.runs,
  };
  defineTest(
    session,
    {
      ...base,
      title: 'pages of any size hold each item once',
      checks: ['paging-partition'],
      requirements: ['paging.partition'],
    },
    async (t) => {
      const fixture = await isolated(t, operation);
      await search(t, operation, fixture, (value) => tryPages(t, fixture, value));
    },
  );
  defineTest(
    session,
    { ...base, title: 'parameters select the same in any order', checks: ['query-styles'], cost: 20 },
    async (t) => {
      const fixture = await isolated(t, operation);
      const plain = { path: placeholders(operation), query: {}, headers: {} };
      const cases = [...orderings(fixture)].map((query, form): Case => ({ form, request: { ...plain, query } }));
      await hunt(t, {
        operation,
        cases,
        arbitrary: fewerParameters(plain),
        attempt: (value) => tryReordered(t, fixture, value),
        inFlight: 4,
      });
    },
  );
  for (const flag of operation.parameters.filter(isFilter)) {
    defineTest(
      session,
      {
        ...base,
        title: `${flag.name} true and false are all there is`,
        checks: ['filters'],
        requirements: ['policies.filter-active'],
      },
      async (t) => {
        const fixture = await isolated(t, operation);
        await switchSome(t, fixture);
        await search(
          t,
          operation,
          fixture,
          (value) => tryHalves(t, fixture, value, flag.name, 'policies.filter-active'),
          0.3,
        );
      },
    );
  }
}

for (const resource of resourcesOf(contract).filter(({ create }) => session.knowledge.guarantees('filters', create))) {
  const { list, read, create } = resource;
  if (list === undefined || read === undefined || create.body === undefined) continue;
  const listingOf = async (t: TestContext): Promise<Listing> => ({
    resource,
    list,
    read,
    visits: visitsOf(resource),
    bench: await benchOf(t, create),
  });
  if (list.parameters.some(({ name }) => name === SEARCH)) {
    defineTest(
      session,
      {
        suite: 'properties/lists',
        title: 'whatever the name, it is found by it',
        operation: list,
        effects: ['read', create.effect],
        checks: ['filters', 'no-server-error', 'form-equivalence'],
        requirements: ['policies.search-name', 'forms.equivalent'],
        cost: 4 * options.runs,
      },
      async (t) => {
        const listing = await listingOf(t);
        const cases = oddNames(sampleRequest(create, listing.bench.arbitrary));
        await hunt(t, {
          operation: list,
          cases,
          arbitrary: listing.bench.arbitrary,
          habits: listing.bench.habits,
          attempt: (value, patient) => trySearched(t, listing, value, patient),
        });
      },
    );
  }
  defineTest(
    session,
    {
      suite: 'properties/lists',
      title: 'whatever texts items have, they are listed as they read and can be used',
      operation: list,
      effects: ['read', create.effect],
      alone: true,
      checks: ['no-server-error', 'answered', 'body-fits-schema', 'created-reads-back', 'response-media-types'],
      requirements: ['errors.no-server-error'],
      cost: options.runs,
    },
    async (t) => {
      const listing = await listingOf(t);
      const replaying = options.path !== undefined;
      const cases = replaying
        ? []
        : await oddlyListed(t, listing, [...oddItems(sampleRequest(create, listing.bench.arbitrary))]);
      if (cases.length === 0 && !replaying) return;
      const alone = makeLanes([list]);
      await hunt(t, {
        operation: create,
        cases,
        arbitrary: listing.bench.arbitrary,
        habits: listing.bench.habits,
        attempt: (value, patient) => alone.use(() => tryListed(t, listing, value, patient)),
        inFlight: 1,
      });
    },
  );
}

/** What can be asked of an item by its id alone. */
function visitsOf({ remove }: Resource): readonly Operation[] {
  return contract.operations.filter(
    ({ path, method, body, effect }) =>
      path.startsWith(`${remove.path}/`) &&
      !path.slice(remove.path.length).includes('{') &&
      body === undefined &&
      (method === 'GET' || effect === 'reversible'),
  );
}

function isFilter({ name, schema, in: place }: Parameter): boolean {
  const resolved = contract.resolve(schema).schema;
  return place === 'query' && /^filter/i.test(name) && isObject(resolved) && resolved['type'] === 'boolean';
}

/** Makes every other policy of a list active, so that neither half is empty; once a run. */
function switchSome(t: TestContext, { operation, ids, request }: ListFixture): Promise<unknown> {
  const activate = contract.operation(OPERATIONS.activate);
  if (operation.id !== OPERATIONS.policies || activate === undefined) return Promise.resolve();
  const own = [...ids].filter((id, index) => index % 2 === 0 && session.made.has(id));
  return session.once('half of the shelf is active', async () => {
    await Promise.all(own.map((id) => t.sendQuietly(activate, { path: { id }, label: 'activate' })));
    await settled(t, async () => {
      const shown = (
        await walk(t, operation, {
          ...request,
          query: { ...request.query, filterActive: true },
          label: 'filterActive=true',
        })
      )?.ids;
      return shown !== undefined && own.every((id) => shown.includes(id));
    });
  });
}

async function isolated(t: TestContext, operation: Operation): Promise<ListFixture> {
  const fixture = await listFixtureFor(t, operation);
  return fixture.isolated ? fixture : t.skip('others may change this list meanwhile');
}

async function search(
  t: TestContext,
  operation: Operation,
  fixture: ListFixture,
  attempt: (value: Case) => ReturnType<typeof tryPages>,
  share = 1,
): Promise<void> {
  const arbitrary = requestsOf(contract, operation);
  await hunt(t, {
    operation,
    cases: sizes(operation, fixture, Math.ceil(options.runs * SHARE * share)),
    attempt: (value, patient) => lasting(patient, () => attempt(value)),
    inFlight: 4,
    ...(arbitrary === undefined ? {} : { simplest: { path: placeholders(operation), query: {}, headers: {} } }),
  });
}

/** What is wrong for as long as a change may take to show. */
async function lasting(patient: boolean, look: () => Promise<readonly Flaw[]>): Promise<readonly Flaw[]> {
  let flaws: readonly Flaw[] = [];
  await eventually(session, patient, async () => {
    flaws = await look();
    return flaws.some((each) => !each.final) ? 'wrong' : undefined;
  });
  return flaws;
}

/** Every size up to that of the list, each with one of the ways to order it. */
function* sizes(operation: Operation, fixture: ListFixture, most: number): Iterable<Case> {
  const name = pagingOf(operation)?.size ?? '';
  const roll = dice(options.seed);
  const orders = ordersOf(operation);
  const count = fixture.ids.size;
  const first = [
    1,
    2,
    3,
    5,
    7,
    10,
    count - 1,
    count,
    count + 1,
    Math.ceil(count / 2),
    4,
    6,
    8,
    9,
    11,
    13,
    16,
    20,
    50,
    100,
  ].filter((size) => size > 0);
  for (let form = 0; form < most; form += 1) {
    const size = first[form] ?? 1 + roll(count + 3);
    yield {
      form,
      request: {
        path: placeholders(operation),
        headers: {},
        query: { [name]: size, ...orders[form < 2 * orders.length ? form % orders.length : roll(orders.length)] },
      },
    };
  }
}

function ordersOf({ parameters }: Operation): readonly Readonly<Record<string, Json>>[] {
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

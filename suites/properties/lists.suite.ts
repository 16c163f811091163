import type { Json, Operation, Parameter } from '../../spec/index.ts';
import { isObject } from '../../spec/index.ts';
import { settled } from '../session/create.ts';
import { law } from '../session/law.ts';
import { resourcesOf } from '../session/resources.ts';
import type { Resource } from '../session/resources.ts';
import { openSession } from '../session/session.ts';
import type { Shelf } from '../session/shelf.ts';
import type { Trial } from '../session/trial.ts';
import { pagingOf, walk } from '../session/walk.ts';
import { shelfFor } from '../state/shelves.ts';
import { OPERATIONS } from '../state/world/index.ts';
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
  law(
    session,
    {
      ...base,
      title: 'pages of any size hold each item once',
      checks: ['paging-partition'],
      requirements: ['paging.partition'],
    },
    async (trial) => {
      const shelf = await isolated(trial, operation);
      await search(trial, operation, shelf, (value) => tryPages(trial, shelf, value));
    },
  );
  law(
    session,
    { ...base, title: 'parameters select the same in any order', checks: ['query-styles'], cost: 20 },
    async (trial) => {
      const shelf = await isolated(trial, operation);
      const plain = { path: placeholders(operation), query: {}, headers: {} };
      const cases = [...orderings(shelf)].map((query, form): Case => ({ form, request: { ...plain, query } }));
      await hunt(trial, {
        operation,
        cases,
        arbitrary: fewerParameters(plain),
        attempt: (value) => tryReordered(trial, shelf, value),
        inFlight: 4,
      });
    },
  );
  for (const flag of operation.parameters.filter(isFilter)) {
    law(
      session,
      {
        ...base,
        title: `${flag.name} true and false are all there is`,
        checks: ['filters'],
        requirements: ['policies.filter-active'],
      },
      async (trial) => {
        const shelf = await isolated(trial, operation);
        await switchSome(trial, shelf);
        await search(
          trial,
          operation,
          shelf,
          (value) => tryHalves(trial, shelf, value, flag.name, 'policies.filter-active'),
          0.3,
        );
      },
    );
  }
}

for (const resource of contract.builtIn ? resourcesOf(contract) : []) {
  const { list, read, create } = resource;
  if (list === undefined || read === undefined || create.body === undefined) continue;
  const listingOf = async (trial: Trial): Promise<Listing> => ({
    resource,
    list,
    read,
    visits: visitsOf(resource),
    bench: await benchOf(trial, create),
  });
  if (list.parameters.some(({ name }) => name === SEARCH)) {
    law(
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
      async (trial) => {
        const listing = await listingOf(trial);
        const cases = oddNames(sampleRequest(create, listing.bench.arbitrary));
        await hunt(trial, {
          operation: list,
          cases,
          arbitrary: listing.bench.arbitrary,
          habits: listing.bench.habits,
          attempt: (value, patient) => trySearched(trial, listing, value, patient),
        });
      },
    );
  }
  law(
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
    async (trial) => {
      const listing = await listingOf(trial);
      const replaying = options.path !== undefined;
      const cases = replaying
        ? []
        : await oddlyListed(trial, listing, [...oddItems(sampleRequest(create, listing.bench.arbitrary))]);
      if (cases.length === 0 && !replaying) return;
      const alone = makeLanes([list]);
      await hunt(trial, {
        operation: create,
        cases,
        arbitrary: listing.bench.arbitrary,
        habits: listing.bench.habits,
        attempt: (value, patient) => alone.use(() => tryListed(trial, listing, value, patient)),
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

/** Makes every other policy of a shelf active, so that neither half is empty; once a run. */
function switchSome(trial: Trial, { operation, ids, ask }: Shelf): Promise<unknown> {
  const activate = contract.operation(OPERATIONS.activate);
  if (operation.id !== OPERATIONS.policies || activate === undefined) return Promise.resolve();
  const own = [...ids].filter((id, index) => index % 2 === 0 && session.made.has(id));
  return session.once('half of the shelf is active', async () => {
    await Promise.all(own.map((id) => trial.sendQuietly(activate, { path: { id }, label: 'activate' })));
    await settled(trial, async () => {
      const shown = (
        await walk(trial, operation, {
          ...ask,
          query: { ...ask.query, filterActive: true },
          label: 'filterActive=true',
        })
      )?.ids;
      return shown !== undefined && own.every((id) => shown.includes(id));
    });
  });
}

async function isolated(trial: Trial, operation: Operation): Promise<Shelf> {
  const shelf = await shelfFor(trial, operation);
  return shelf.isolated ? shelf : trial.skip('others may change this list meanwhile');
}

async function search(
  trial: Trial,
  operation: Operation,
  shelf: Shelf,
  attempt: (value: Case) => ReturnType<typeof tryPages>,
  share = 1,
): Promise<void> {
  const arbitrary = requestsOf(contract, operation);
  await hunt(trial, {
    operation,
    cases: sizes(operation, shelf, Math.ceil(options.runs * SHARE * share)),
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
function* sizes(operation: Operation, shelf: Shelf, most: number): Iterable<Case> {
  const name = pagingOf(operation)?.size ?? '';
  const roll = dice(options.seed);
  const orders = ordersOf(operation);
  const count = shelf.ids.size;
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

import type { Exchange, Json, Operation } from '../../spec/index.ts';
import { isObject, isSuccess } from '../../spec/index.ts';
import { create } from '../../domain/create.ts';
import type { Made } from '../../domain/create.ts';
import { idOf, idsOf, itemsOf, sameId } from '../../domain/items.ts';
import { defineTest } from '../kit/define-test.ts';
import { openSession } from '../kit/session.ts';
import type { Violation, TestContext } from '../kit/context.ts';
import { walk } from '../../domain/read-list.ts';
import { FILTER_SHOWS_NO_STATE, filterShowsState } from '../../domain/builtin/activation.ts';
import { freshAgent, freshJob } from '../../domain/builtin/make.ts';
import { OPERATIONS, operationOf, resourceFor } from '../../domain/builtin/operations.ts';

const session = await openSession();

interface Shelves {
  readonly active: readonly Made[];
  readonly inactive: readonly Made[];
}

/** Policies of this run, some of them active; made once. */
function policies(t: TestContext): Promise<Shelves> {
  return t.session.once('filter policies', async () => {
    const resource = resourceFor(t.session, 'createPolicy');
    const make = (suffix: string): Promise<Made> => create(t, resource, { suffix, label: 'create a policy' });
    const made = {
      active: [await make('fila'), await make('filb')],
      inactive: [await make('filc'), await make('fild'), await make('file')],
    };
    for (const each of made.active)
      await t.send(operationOf(t.session, 'activate'), { path: { id: each.id }, label: 'activate' });
    for (const each of made.inactive)
      await t.send(operationOf(t.session, 'deactivate'), { path: { id: each.id }, label: 'deactivate' });
    return made;
  });
}

const listing = session.contract.operation(OPERATIONS.policies);

for (const form of listing?.forms ?? []) {
  const declare = (
    title: string,
    requirement: string,
    body: (t: TestContext, operation: Operation, shelves: Shelves, select: Select) => Promise<Violation | undefined>,
  ): void => {
    defineTest(
      session,
      {
        suite: 'state/filters',
        title,
        form,
        checks: ['filters'],
        requirements: [requirement],
        effects: ['read', 'reversible'],
        cost: 20,
        ...(listing === undefined ? {} : { operation: listing }),
      },
      async (t) => {
        const operation = operationOf(t.session, 'policies');
        const shelves = await policies(t);
        const select: Select = async (query, size) => {
          const seen = await walk(t, operation, { form, query, label: JSON.stringify(query) }, size);
          return { ids: new Set(seen?.ids), exchange: seen?.pages.at(0), pages: seen?.pages ?? [] };
        };
        await t.holds(() => body(t, operation, shelves, select));
      },
    );
  };

  declare(
    'filterActive selects exactly the active or the inactive',
    'policies.filter-active',
    async (_trial, operation, { active, inactive }, select) => {
      const [yes, no, all] = [
        await select({ filterActive: true }),
        await select({ filterActive: false }),
        await select({}),
      ];
      return firstBreach(operation, 'policies.filter-active', [
        [yes, active, true, 'filterActive=true leaves an active policy out'],
        [yes, inactive, false, 'filterActive=true shows an inactive policy'],
        [no, inactive, true, 'filterActive=false leaves an inactive policy out'],
        [no, active, false, 'filterActive=false shows an active policy'],
        [all, [...active, ...inactive], true, 'without filterActive a policy is left out'],
      ]);
    },
  );

  declare(
    'searchName selects by name',
    'policies.search-name',
    async (_trial, operation, { active, inactive }, select) => {
      const [wanted, ...others] = [...active, ...inactive];
      if (wanted === undefined) return undefined;
      const exact = await select({ searchName: wanted.name });
      const stem = stemOf(wanted);
      const common = await select({ searchName: stem });
      const nothing = await select({ searchName: `${wanted.name}-nobody-has-this` });
      const violation = firstBreach(operation, 'policies.search-name', [
        [exact, [wanted], true, 'searchName leaves out the policy of that name'],
        [exact, others, false, 'searchName shows policies of other names'],
        [nothing, [wanted, ...others], false, 'searchName shows policies for a name that nobody has'],
      ]);
      const partly = [wanted, ...others].some((each) => common.ids.has(each.id.toLowerCase()));
      return (
        violation ??
        (partly
          ? firstBreach(operation, 'policies.search-name', [
              [
                common,
                [wanted, ...others].filter((each) => each.name.startsWith(stem)),
                true,
                'searchName leaves out a policy of the searched name',
              ],
            ])
          : undefined)
      );
    },
  );

  declare(
    'filterCreator selects by creator',
    'policies.filter-creator',
    async (t, operation, { active, inactive }, select) => {
      const own = [...active, ...inactive];
      const nobody = await select({ filterCreator: `nobody-${t.session.tag}` });
      const unselective = firstBreach(operation, 'policies.filter-creator', [
        [nobody, own, false, 'filterCreator shows policies of others than the creator'],
      ]);
      if (unselective !== undefined) return unselective;
      const creator = await creatorOf(t, own[0]);
      if (creator === undefined) return undefined;
      return firstBreach(operation, 'policies.filter-creator', [
        [await select({ filterCreator: creator }), own, true, 'filterCreator leaves out policies of the creator'],
      ]);
    },
  );

  declare(
    'filters and paging work together',
    'policies.filter-active',
    async (t, operation, { active, inactive }, select) => {
      if (!(await filterShowsState(t))) t.skip(FILTER_SHOWS_NO_STATE);
      const [first] = active;
      if (first === undefined) return undefined;
      const stem = stemOf(first);
      const both = await select({ searchName: stem, filterActive: true, orderAsc: false }, 1);
      const neither = await select({ searchName: stem, filterActive: false }, 2);
      const whole = await select({ searchName: stem }, 2);
      if (![...active, ...inactive].every((each) => whole.ids.has(each.id.toLowerCase()))) return undefined;
      return firstBreach(operation, 'policies.filter-active', [
        [both, active, true, 'filterActive=true with searchName leaves an active policy out'],
        [both, inactive, false, 'filterActive=true with searchName shows an inactive policy'],
        [neither, inactive, true, 'filterActive=false with searchName leaves an inactive policy out'],
        [neither, active, false, 'filterActive=false with searchName shows an active policy'],
      ]);
    },
  );
}

/** What the names of all these policies begin with. */
function stemOf({ name }: Made): string {
  return name.slice(0, name.lastIndexOf('-') + 4);
}

/** What a query selects, read in pages of that size. */
type Select = (query: Record<string, Json>, size?: number) => Promise<Selection>;

interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly exchange: Exchange | undefined;
  readonly pages?: readonly Exchange[];
}

type Expectation = readonly [selection: Selection, items: readonly Made[], present: boolean, cause: string];

function firstBreach(
  operation: Operation,
  requirement: string,
  expectations: readonly Expectation[],
): Violation | undefined {
  for (const [selection, items, present, cause] of expectations) {
    const wrong = items.find((each) => selection.ids.has(each.id.toLowerCase()) !== present);
    if (wrong === undefined || selection.exchange === undefined || !isSuccess(selection.exchange.response?.status ?? 0))
      continue;
    return {
      check: 'filters',
      requirement,
      operation,
      cause,
      message: `${operation.id}: ${cause}`,
      expected: `${wrong.name} (${wrong.id}) is ${present ? 'in' : 'not in'} the list`,
      received: `it is ${present ? 'not in' : 'in'} the list of ${selection.ids.size}`,
      exchanges: [wrong.created, pageWith(selection, wrong) ?? selection.exchange],
    };
  }
  return undefined;
}

/** The page that shows an item, where one does. */
function pageWith({ pages = [] }: Selection, item: Made): Exchange | undefined {
  return pages.find((page) => idsOf(page.response?.json)?.includes(item.id.toLowerCase()));
}

/** Who created a policy, as the deployment tells it. */
async function creatorOf(t: TestContext, policy: Made | undefined): Promise<string | undefined> {
  if (policy === undefined) return undefined;
  const read = await t.send(operationOf(t.session, 'readPolicy'), { path: { id: policy.id } });
  const creator = isObject(read.response?.json) ? read.response.json['createdBy'] : undefined;
  return typeof creator === 'string' && creator !== '' ? creator : undefined;
}

for (const name of ['createAgent', 'createJob'] as const) {
  const list = session.contract.operation(name === 'createAgent' ? OPERATIONS.agents : OPERATIONS.jobs);
  for (const form of list?.forms ?? []) {
    defineTest(
      session,
      {
        suite: 'state/filters',
        title: 'metadataFilter selects by every key it names',
        form,
        checks: ['filters', 'query-styles'],
        requirements: [
          'content.query-deep-object',
          name === 'createAgent' ? 'agents.metadata-filter' : 'jobs.metadata-filter',
        ],
        effects: ['read', 'reversible'],
        ...(list === undefined ? {} : { operation: list }),
      },
      async (t) => {
        const marked = await markedItems(t, name);
        if (list === undefined) return;
        await t.holds(() => metadataBreach(t, list, form.name, marked, name));
      },
    );
  }
}

interface Marked {
  readonly both: Made;
  readonly oneOnly: Made;
  readonly other: Made;
}

/** Three items whose metadata differ in one value each. */
function markedItems(t: TestContext, name: 'createAgent' | 'createJob'): Promise<Marked> {
  return t.session.once(`marked ${name}`, async () => {
    const { tag } = t.session;
    return {
      both: await makeMarked(t, name, { 'assay-shade': `${tag}-red`, 'assay-size': 'large' }),
      oneOnly: await makeMarked(t, name, { 'assay-shade': `${tag}-red`, 'assay-size': 'small' }),
      other: await makeMarked(t, name, { 'assay-shade': `${tag}-blue`, 'assay-size': 'large' }),
    };
  });
}

function makeMarked(t: TestContext, name: 'createAgent' | 'createJob', metadata: Json): Promise<Made> {
  return name === 'createAgent' ? freshAgent(t, 'marked', { metadata }) : freshJob(t, 'marked', { metadata });
}

async function metadataBreach(
  t: TestContext,
  operation: Operation,
  form: string,
  { both, oneOnly, other }: Marked,
  name: string,
): Promise<Violation | undefined> {
  const at = operation.forms.find((each) => each.name === form);
  const select = async (filter: Json): Promise<Selection> => {
    const exchange = await t.send(operation, {
      ...(at === undefined ? {} : { form: at }),
      query: { metadataFilter: filter },
      label: `metadataFilter ${JSON.stringify(filter)}`,
    });
    if (itemsOf(exchange.response?.json)?.some((item) => sameId(idOf(item), both.id)) === undefined)
      t.skip('the list can not be read');
    return { ids: new Set(idsOf(exchange.response?.json)), exchange };
  };
  const red = `${t.session.tag}-red`;
  const one = await select({ 'assay-shade': red });
  const two = await select({ 'assay-shade': red, 'assay-size': 'large' });
  const none = await select({ 'assay-shade': `${red}-nobody` });
  const requirement = name === 'createAgent' ? 'agents.metadata-filter' : 'jobs.metadata-filter';
  const violation = firstBreach(operation, requirement, [
    [one, [both, oneOnly], true, 'metadataFilter leaves out an item with that value'],
    [one, [other], false, 'metadataFilter shows an item with another value'],
    [two, [both], true, 'metadataFilter with two keys leaves out an item that has both values'],
    [two, [oneOnly, other], false, 'metadataFilter with two keys shows an item that has one value only'],
    [none, [both, oneOnly, other], false, 'metadataFilter shows items for a value that nobody has'],
  ]);
  return violation?.cause?.includes('two keys') === true ? { ...violation, check: 'query-styles' } : violation;
}

import { operationOf } from '../../../domain/builtin/operations.ts';
import { Skip } from '../../../domain/context.ts';
import { uniqueName } from '../../../domain/create.ts';
import { itemsIn } from '../../../domain/items.ts';
import { walk } from '../../../domain/read-list.ts';
import { defined } from '../../../spec/defined.ts';
import { isServed } from '../../../spec/index.ts';
import type { CheckName, Exchange, Json, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { openSession } from '../../kit/session.ts';
import { violationOf } from '../../kit/violation.ts';
import { defineForRole } from '../define.ts';
import { policiesToFilter } from './moved-policies.ts';
import type { Policies } from './moved-policies.ts';
import { creatorOf, findWrongSelection, unlessByWord, stemOf } from './selection.ts';
import type { ItemToFind, SelectionExpectation, Selection } from './selection.ts';
import { FILTER_SHOWS_NO_STATE, filterShowsState, freshPolicy } from '../../../domain/builtin/policies.ts';

const session = await openSession();

/** Another media type of the same list. What is no JSON selects nothing that can be read. */
const TEXT = 'text/plain';

interface Scenario extends Policies {
  readonly all: readonly ItemToFind[];
  /** Policies that a query selects, read in pages of that size, or in that media type. */
  readonly select: (query: Record<string, Json>, size?: number, accept?: string) => Promise<Selection>;
  /** A page of what a query selects, with one policy on a page. */
  readonly onePolicy: (query: Record<string, Json>, page: number) => Promise<Exchange>;
  /** The first expectation that is not met. */
  readonly check: (subject: string, expectations: readonly SelectionExpectation[]) => Violation | undefined;
}

function define(
  title: string,
  requirement: string,
  evaluate: (t: TestContext, scenario: Scenario) => Evaluation,
  check: CheckName = 'filters',
): void {
  const definition = {
    suite: 'state/filters/policies',
    title,
    checks: [check],
    requirements: [requirement],
    effects: ['read', 'reversible'] as const,
    cost: 20,
  };
  defineForRole(session, 'policies', {
    ...definition,
    run: async (t, { operation, form }) => {
      const policies = await policiesToFilter(t);
      const scenario: Scenario = {
        ...policies,
        all: [...policies.active, ...policies.inactive],
        async select(query, size, accept) {
          const request = { form, query, label: JSON.stringify(query), ...defined({ accept }) };
          const seen = await walk(t, operation, request, size);
          return { ids: new Set(seen?.ids), pages: seen?.pages ?? [] };
        },
        onePolicy: (query, page) =>
          t.send(operation, { form, query: { ...query, page, take: 1 }, label: `page ${page} of one`, valid: true }),
        check: (subject, expectations) => findWrongSelection(operation, { subject, requirement }, expectations),
      };
      await t.holds(async (t) => unlessByWord(t, await evaluate(t, scenario)));
    },
  });
}

define(
  'filterActive selects the active or the inactive policies',
  'policies.filter-active',
  async (_t, { active, inactive, deleted, all, select, check }) => {
    const [yes, no, asText, unfiltered] = await Promise.all([
      select({ filterActive: true }),
      select({ filterActive: false }),
      select({ filterActive: true }, undefined, TEXT),
      select({}),
    ]);
    return check('filterActive', [
      [yes, active, true],
      [yes, inactive, false],
      [no, inactive, true],
      [no, active, false],
      [asText, inactive, false],
      [unfiltered, all, true],
      [yes, deleted, false],
      [no, deleted, false],
    ]);
  },
);

define('searchName selects by name', 'policies.search-name', async (_t, { all, select, check }) => {
  const [wanted, ...others] = all;
  if (wanted === undefined) return undefined;
  const stem = stemOf(wanted);
  const [exact, asText, common, nothing] = await Promise.all([
    select({ searchName: wanted.name }),
    select({ searchName: wanted.name }, undefined, TEXT),
    select({ searchName: stem }),
    select({ searchName: `${wanted.name}-unused` }),
  ]);
  const violation = check('searchName', [
    [exact, [wanted], true],
    [exact, others, false],
    [asText, others, false],
    [nothing, all, false],
  ]);
  // The document does not say whether a part of a name is found; where it is, it is found in every name.
  if (violation !== undefined || !all.some(({ id }) => common.ids.has(id.toLowerCase()))) return violation;
  return check('searchName', [[common, all.filter(({ name }) => name.startsWith(stem)), true]]);
});

define('searchName selects by the name after an update', 'policies.search-name', async (t, { select, check }) => {
  const renamed = await t.once('renamed policy', () => renamePolicy(t));
  const [byName, byFormerName] = await Promise.all([
    select({ searchName: renamed.name }),
    select({ searchName: renamed.formerName }),
  ]);
  return check('searchName', [
    [byName, [renamed], true],
    [byFormerName, [renamed], false],
  ]);
});

async function renamePolicy(t: TestContext): Promise<ItemToFind & { readonly formerName: string }> {
  const policy = await freshPolicy(t, 'former');
  // A search in lower case must find capitals, too.
  const name = uniqueName(t, 'Latter');
  // Everywhere: a search may look at descriptions, too.
  const json = JSON.parse(JSON.stringify(policy.sent).replaceAll(policy.name, name)) as Json;
  const request = { path: { id: policy.id }, json, label: 'rename the policy' };
  const moved = await t.send(operationOf(t, 'updatePolicy'), request);
  if (!isServed(moved)) throw new Skip('the policy cannot be renamed');
  return { ...policy, name, formerName: policy.name, moved };
}

/** Reports items on the second page of a selection whose first page is empty. */
function findOnSecondPage(t: TestContext, exchange: Exchange): Violation | undefined {
  const found = itemsIn(exchange) ?? [];
  if (found.length === 0) return undefined;
  return violationOf('filters/lost-on-next-page', operationOf(t, 'policies'), {
    subject: 'filterCreator',
    requirement: 'policies.filter-creator',
    expected: 'no policies, as on the first page',
    received: `${found.length} policies`,
    exchanges: [exchange],
  });
}

define('filterCreator selects by creator', 'policies.filter-creator', async (t, scenario) => {
  const { all, active, deleted, select, onePolicy, check } = scenario;
  const filterCreator = `nobody-${t.tag}`;
  const unused = await select({ filterCreator });
  const named = await select({ filterCreator, searchName: all[0]?.name ?? '' });
  const nothing = [unused, named].map((selection): SelectionExpectation => [selection, all, false]);
  const violation = check('filterCreator', nothing) ?? findOnSecondPage(t, await onePolicy({ filterCreator }, 1));
  const creator = await creatorOf(t, all[0]);
  if (violation !== undefined || creator === undefined) return violation;
  const searchName = stemOf(all[0] ?? t.skip('no policies were created'));
  const similar = await select({ searchName });
  const isFound = all.every(({ id }) => similar.ids.has(id.toLowerCase()));
  const created = await select({ filterCreator: creator });
  const inactive = await select({ filterCreator: creator, searchName, filterActive: false });
  if (isFound && (await filterShowsState(t))) {
    const wrong = check('filterActive+filterCreator', [[inactive, active, false]]);
    if (wrong !== undefined) return wrong;
  }
  const omitted = check('filterCreator', [
    [created, all, true],
    [created, deleted, false],
    // Of a short list, the first and the last match are those of this test.
    [await select({ filterCreator: creator, searchName }), isFound ? all : [], true],
    [await select({ filterCreator: creator, searchName: `${all[0]?.name}-unused` }), all, false],
  ]);
  // Nothing at all: the filter may take another spelling than is shown, an id for example.
  if (omitted !== undefined) return created.ids.size > 0 ? omitted : { ...omitted, grade: 'inferred' };
  for (const orderAsc of created.ids.size > 0 ? [true, false] : []) {
    const page = await onePolicy({ filterCreator: creator, orderAsc }, 0);
    if (isServed(page) && itemsIn(page)?.length === 0)
      return lostOnPage(t, {
        subject: 'filterCreator',
        expected: `one of the ${created.ids.size} policies that the filter selects`,
        received: 'an empty page',
        exchanges: [...created.pages.slice(0, 1), page],
      });
  }
  return undefined;
});

define(
  'filters can be combined with each other and with paging',
  'policies.filter-active',
  async (t, { active, inactive, all, select, check }) => {
    if (!(await filterShowsState(t))) t.skip(FILTER_SHOWS_NO_STATE);
    const searchName = stemOf(all[0] ?? t.skip('no policies were created'));
    const [yes, no, whole] = await Promise.all([
      select({ searchName, filterActive: true, orderAsc: false }, 1),
      select({ searchName, filterActive: false, orderAsc: false }, 2),
      select({ searchName }, 2),
    ]);
    if (!all.every(({ id }) => whole.ids.has(id.toLowerCase()))) return undefined;
    const bothHalves = (one: Selection, other: Selection): readonly SelectionExpectation[] => [
      [one, active, true],
      [one, inactive, false],
      [other, inactive, true],
      [other, active, false],
    ];
    const violation = check('filterActive+searchName', bothHalves(yes, no));
    if (violation !== undefined) {
      const large = [select({ searchName, filterActive: true }), select({ searchName, filterActive: false })] as const;
      // On one page, the items of other tests do not matter.
      const onOnePage = check('filterActive+searchName', bothHalves(...(await Promise.all(large))));
      const isLost = violation.code === 'filters/not-found' && onOnePage === undefined;
      return isLost ? lostOnPage(t, { ...violation, subject: 'filterActive' }) : (onOnePage ?? violation);
    }
    const [wanted = t.skip('no policy was activated'), ...others] = active;
    const named = await select({ searchName: wanted.name, filterActive: true });
    const ordered = await select({ searchName: wanted.name, orderBy: 'name' });
    const onlyWanted = (one: Selection): readonly SelectionExpectation[] => [
      [one, [wanted], true],
      [one, others, false],
    ];
    const [unnamed] = [named, ordered].flatMap((each) => check('searchName', onlyWanted(each)) ?? []);
    if (unnamed !== undefined) return unnamed;
    const orderedActive = check('filterActive', [
      [await select({ searchName, filterActive: true, orderBy: 'name' }), inactive, false],
    ]);
    if (orderedActive !== undefined) return orderedActive;
    const filterCreator = `nobody-${t.tag}`;
    const combined = await Promise.all([
      select({ searchName, filterCreator, filterActive: true }),
      select({ searchName, filterCreator, filterActive: false }),
      select({ searchName, filterCreator, orderBy: 'name' }),
    ]);
    return check(
      'filterCreator',
      combined.map((each) => [each, all, false]),
    );
  },
);

define(
  'a page size applies beside a filter and an order',
  'paging.take',
  async (t, { active, onePolicy }) => {
    const exchange = await onePolicy({ filterActive: true, orderBy: 'name' }, 0);
    const { length } = itemsIn(exchange) ?? [];
    const found = { requirement: 'paging.take', expected: 'at most 1 item', received: `${length} items` };
    const own = active.flatMap(({ created, moved = created }) => [created, moved]);
    const evidence = { ...found, exchanges: [...own, exchange] };
    return length < 2 ? undefined : violationOf('paging-partition/page-too-long', operationOf(t, 'policies'), evidence);
  },
  'paging-partition',
);

/** A selection that lacks an item only in small pages. */
function lostOnPage(
  t: TestContext,
  { subject, expected, received, exchanges }: Pick<Violation, 'subject' | 'expected' | 'received' | 'exchanges'>,
): Violation {
  const found = { subject, requirement: 'paging.partition', expected, received, exchanges };
  return violationOf('filters/lost-on-page', operationOf(t, 'policies'), found);
}

define(
  'a filter keeps the order of the list',
  'paging.order-asc',
  async (t, { inactive, select }) => {
    const searchName = stemOf(inactive[0] ?? t.skip('no policies were created'));
    const query = { searchName, orderBy: 'name', orderAsc: false };
    const filterCreator = await creatorOf(t, inactive[0]);
    const plain = await select(query);
    const namesIn = ({ ids }: Selection): string =>
      Array.from(ids, (id) => inactive.find((each) => each.id.toLowerCase() === id)?.name ?? [])
        .flat()
        .join(', ');
    const names = inactive.map(({ name }) => name);
    const wanted = names.toSorted().toReversed().join(', ');
    if (namesIn(plain) !== wanted) return undefined;
    for (const filter of [{ filterActive: false }, ...(filterCreator === undefined ? [] : [{ filterCreator }])]) {
      // One on a page: each page alone is in order.
      const filtered = await select({ ...query, ...filter }, 1);
      const isWhole = inactive.every(({ id }) => filtered.ids.has(id.toLowerCase()));
      if (namesIn(filtered) === wanted || !isWhole) continue;
      const [subject = ''] = Object.keys(filter);
      return violationOf('ordering/order-asc', operationOf(t, 'policies'), {
        subject,
        requirement: 'paging.order-asc',
        expected: `${wanted}, as without ${subject}`,
        received: namesIn(filtered),
        exchanges: [...inactive.map(({ created }) => created), ...filtered.pages.slice(0, 1)],
      });
    }
    return undefined;
  },
  'ordering',
);

import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../../../domain/items.ts';
import { pageWith, walk } from '../../../domain/read-list.ts';
import type { Walk } from '../../../domain/read-list.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Json } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { openSession } from '../../kit/session.ts';
import { violationOf } from '../../kit/violation.ts';
import { defineForRole } from '../define.ts';
import type { Tested } from '../define.ts';

// Filters and orders of lists that this run does not fill, because it may only read. Others may change them at any time: what is
// reported must hold for the same items in each evaluation.

const session = await openSession();

type Query = Readonly<Record<string, Json>>;
type Read = (query: Query) => Promise<Walk>;

interface Definition {
  readonly role: 'policies' | 'agents' | 'jobs';
  readonly title: string;
  readonly check?: 'filters' | 'ordering';
  readonly requirement: string;
  /** Returns what evaluates the list; called once. */
  readonly evaluate: (t: TestContext, tested: Tested) => (read: Read) => Evaluation;
}

function define({ role, title, check = 'filters', requirement, evaluate }: Definition): void {
  if (session.allows('reversible')) return;
  defineForRole(session, role, {
    suite: 'state/filters/existing',
    title,
    checks: [check],
    requirements: [requirement],
    effects: ['read'],
    run: async (t, tested) => {
      const { operation, form } = tested;
      const find = evaluate(t, tested);
      await t.holds((t) =>
        find(async (query) => {
          const label = JSON.stringify(query);
          const seen = await walk(t, operation, { form, query, label });
          const isWhole = seen !== undefined && !seen.isCut && seen.pages.every(isServed);
          return isWhole ? seen : t.skip(`the whole list cannot be read with the query ${label}`);
        }),
      );
    },
  });
}

/** Of the ids that each evaluation finds, those that all of them so far have found. */
function inEachEvaluation(): (found: readonly string[]) => readonly string[] {
  let left: readonly string[] | undefined;
  return (found) => (left = left?.filter((id) => found.includes(id)) ?? found);
}

define({
  role: 'policies',
  title: 'filterActive lists each existing policy as active or as inactive',
  requirement: 'policies.filter-active',
  evaluate(t, { operation }) {
    const [kept, keptTwice] = [inEachEvaluation(), inEachEvaluation()];
    return async (read) => {
      const before = await read({});
      const [yes, no] = [await read({ filterActive: true }), await read({ filterActive: false })];
      const after = await read({});
      if (before.ids.length === 0) t.skip('there are no policies');
      const twice = keptTwice(yes.ids.filter((id) => no.ids.includes(id)));
      const isListed = (id: string): boolean => yes.ids.includes(id) || no.ids.includes(id);
      const missing = kept(before.ids.filter((id) => after.ids.includes(id) && !isListed(id)));
      const [code, id, word]: [FindingCode, string | undefined, string] =
        twice.length > 0 ? ['filters/wrongly-found', twice[0], 'both'] : ['filters/not-found', missing[0], 'neither'];
      if (id === undefined) return undefined;
      return violationOf(code, operation, {
        subject: 'filterActive',
        requirement: 'policies.filter-active',
        expected: `policy ${id} is listed with filterActive=true or with filterActive=false`,
        received: `it is listed with ${word}`,
        exchanges: [before, yes, no].map((each) => pageWith(each, id)),
      });
    };
  },
});

/** Filters with values that nothing has: a text of one word, which no existing item can have by chance. */
const UNUSED = [
  {
    role: 'policies',
    name: 'searchName',
    requirement: 'policies.search-name',
    query: (searchName) => ({ searchName }),
  },
  {
    role: 'policies',
    name: 'filterCreator',
    requirement: 'policies.filter-creator',
    query: (filterCreator) => ({ filterCreator }),
  },
  {
    role: 'agents',
    name: 'metadataFilter',
    requirement: 'agents.metadata-filter',
    query: (value) => ({ metadataFilter: { [value]: value } }),
  },
  {
    role: 'jobs',
    name: 'metadataFilter',
    requirement: 'jobs.metadata-filter',
    query: (value) => ({ metadataFilter: { [value]: value } }),
  },
] as const satisfies readonly (Pick<Definition, 'role' | 'requirement'> & {
  readonly name: string;
  readonly query: (value: string) => Query;
})[];

for (const { role, name, requirement, query } of UNUSED)
  define({
    role,
    title: `${name} with a value that nothing has selects nothing`,
    requirement,
    evaluate(t, { operation }) {
      const kept = inEachEvaluation();
      return async (read) => {
        const all = await read({});
        const found = await read(query(`unused${t.tag.replaceAll(/\W/g, '')}`));
        if (all.ids.length === 0) t.skip('the list has no items');
        const [id] = kept(found.ids);
        if (id === undefined) return undefined;
        return violationOf('filters/wrongly-found', operation, {
          subject: name,
          requirement,
          expected: 'no items',
          received: `${found.ids.length} of ${all.ids.length} items, for example ${id}`,
          exchanges: [all, found].map((each) => pageWith(each, id)),
        });
      };
    },
  });

/** A name that every kind of search finds: words of letters and digits. */
const PLAIN_NAME = /^[A-Za-z0-9]{3,}(?: [A-Za-z0-9]{3,})*$/;

/** Most names that are searched for. */
const MOST_NAMES = 3;

define({
  role: 'policies',
  title: 'searchName finds existing policies by their names',
  requirement: 'policies.search-name',
  evaluate(t, { operation }) {
    const kept = inEachEvaluation();
    return async (read) => {
      const all = await read({});
      const named = all.items.flatMap((item) => nameOf(item) ?? []).filter((name) => PLAIN_NAME.test(name));
      const names = [...new Set(named)].slice(0, MOST_NAMES);
      if (names.length === 0) t.skip('no policy has a name of letters and digits only');
      const wrong: { readonly id: string; readonly name: string; readonly page: Exchange }[] = [];
      for (const name of names) {
        const found = await read({ searchName: name });
        const [page] = found.pages;
        const ids = all.ids.filter((id, at) => nameOf(all.items[at] ?? null) === name && !found.ids.includes(id));
        if (page !== undefined) wrong.push(...ids.map((id) => ({ id, name, page })));
      }
      const [id] = kept(wrong.map((each) => each.id));
      const shown = wrong.find((each) => each.id === id);
      if (shown === undefined) return undefined;
      return violationOf('filters/not-found', operation, {
        subject: 'searchName',
        requirement: 'policies.search-name',
        // How a name must match is not stated.
        grade: 'inferred',
        expected: `policy ${shown.id}, which has that name`,
        received: 'a list without it',
        exchanges: [pageWith(all, shown.id), shown.page],
      });
    };
  },
});

define({
  role: 'policies',
  title: 'orderAsc sets the direction in which existing policies are sorted',
  check: 'ordering',
  requirement: 'paging.order-asc',
  evaluate:
    (t, { operation }) =>
    async (read) => {
      const [first] = (await read({})).items;
      const orderBy = isObject(first) ? Object.keys(first).find((key) => key.toLowerCase() === 'name') : undefined;
      if (orderBy === undefined) return t.skip('the list shows no name to sort by');
      const [up, down] = [await read({ orderBy, orderAsc: true }), await read({ orderBy, orderAsc: false })];
      if (new Set(up.items.map(nameOf)).size < 2)
        t.skip('the items of the list do not have two different names to sort by');
      if (!isDeepStrictEqual(up.ids, down.ids)) return undefined;
      return violationOf('ordering/order-asc', operation, {
        requirement: 'paging.order-asc',
        expected: 'another order with orderAsc=false',
        received: 'the same order in both directions',
        exchanges: [...up.pages.slice(0, 1), ...down.pages.slice(0, 1)],
      });
    },
});

function nameOf(item: Json): string | undefined {
  const name = memberOf(item, 'name');
  return typeof name === 'string' ? name : undefined;
}

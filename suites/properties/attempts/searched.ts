import { isObject } from '../../../spec/index.ts';
import type { Exchange } from '../../../spec/index.ts';
import { idOf, itemsOf } from '../../../domain/items.ts';
import type { TestContext } from '../../kit/context.ts';
import { pageQuery, pagingOf } from '../../../domain/read-list.ts';
import type { Case } from '../hunt/case.ts';
import { exchangeFlaws } from '../hunt/flaw.ts';
import type { Flaw } from '../hunt/flaw.ts';
import { createItem, removeItem } from './listed.ts';
import type { Item, Listing } from './listing.ts';
import { eventually } from './patience.ts';

/** A list of more pages than these is not read to its end. */
const MOST_PAGES = 5;
const PAGE = 100;

/** Names whose request line may be too long are not searched for. */
const LONGEST = 2000;

/** The parameter that selects by name. */
export const SEARCH = 'searchName';

/** Creates what the case says, searches for it by the name that it reads with, and for a name that nobody has. */
export async function trySearched(
  t: TestContext,
  listing: Listing,
  value: Case,
  patient: boolean,
): Promise<readonly Flaw[]> {
  const item = await listing.bench.stages.use((stage) => createItem(t, listing, value, stage));
  if (item === undefined) return [];
  const name = nameOf(item, t.session.tag);
  const flaws =
    name === undefined
      ? []
      : [
          ...(await found(t, listing, item, name, patient)),
          ...(await unfound(t, listing, item, name)),
          ...((await eventually(t.session, patient, () => unlikeForms(t, listing, item, name))) ?? []),
        ];
  await removeItem(t, listing, item.id);
  return flaws.map((each) => ({ ...each, exchanges: [item.created, ...each.exchanges] }));
}

/** The name as it reads, where it is the run's own and nothing at its ends could be trimmed. */
function nameOf({ read }: Item, tag: string): string | undefined {
  const json = read.response?.json;
  const name = isObject(json) ? json['name'] : undefined;
  return typeof name === 'string' &&
    name.includes(tag) &&
    name === name.trim() &&
    !/\p{Surrogate}/u.test(name) &&
    encodeURIComponent(name).length <= LONGEST
    ? name
    : undefined;
}

interface Search {
  readonly flaws: readonly Flaw[];
  readonly shown: boolean;
  readonly page: Exchange;
}

/** Searches, page by page, until the item is shown; undefined where the deployment refuses to search for that, which it may. */
async function search(
  t: TestContext,
  { list }: Listing,
  { id, value }: Pick<Item, 'id' | 'value'>,
  name: string,
): Promise<Search | undefined> {
  const paging = pagingOf(list);
  const form = list.forms[value.form % Math.max(1, list.forms.length)];
  for (let index = 0; ; index += 1) {
    const query = { ...(paging === undefined ? {} : pageQuery(paging, index, PAGE)), [SEARCH]: name };
    const page = await t.sendQuietly(list, {
      query,
      ...(form === undefined ? {} : { form }),
      label: `search for ${JSON.stringify(name)}`,
    });
    const items = page.response?.status === 200 ? itemsOf(page.response.json) : undefined;
    const flaws = exchangeFlaws(t.session, list, page);
    if (items === undefined) return flaws.length === 0 ? undefined : { flaws, shown: true, page };
    const shown = items.some((each) => idOf(each) === id.toLowerCase());
    if (shown || paging === undefined || items.length < PAGE || index + 1 === MOST_PAGES) return { flaws, shown, page };
  }
}

async function found(
  t: TestContext,
  listing: Listing,
  item: Item,
  name: string,
  patient: boolean,
): Promise<readonly Flaw[]> {
  let last: Search | undefined;
  await eventually(t.session, patient, async () => {
    last = await search(t, listing, item, name);
    return last === undefined || last.shown ? undefined : 'not shown';
  });
  if (last === undefined) return [];
  return last.shown
    ? last.flaws
    : [
        ...last.flaws,
        flawOf(listing, {
          kind: 'an item is not found by its name',
          expected: `the item whose name is ${JSON.stringify(name)}`,
          received: 'a list without it',
          exchanges: [item.read, last.page],
        }),
      ];
}

async function unfound(t: TestContext, listing: Listing, item: Item, name: string): Promise<readonly Flaw[]> {
  const nobody = `${name}-nobody-has-this`;
  const last = await search(t, listing, item, nobody);
  if (last === undefined || last.flaws.length > 0) return last?.flaws ?? [];
  return last.shown
    ? [
        flawOf(listing, {
          kind: 'an item is found by a name that nobody has',
          expected: `no item whose name is ${JSON.stringify(name)}`,
          received: 'that item',
          exchanges: [item.read, last.page],
        }),
      ]
    : [];
}

/** Whether capitals matter is not shown; that they matter in one form only is another answer to the same request. */
async function unlikeForms(
  t: TestContext,
  listing: Listing,
  { id, value }: Item,
  name: string,
): Promise<readonly Flaw[] | undefined> {
  const { list } = listing;
  const capitals = name.toUpperCase();
  const [first, second] = list.forms;
  if (first === undefined || second === undefined || capitals.toLowerCase() !== name.toLowerCase()) return undefined;
  const [one, two] = [
    await search(t, listing, { id, value: { ...value, form: 0 } }, capitals),
    await search(t, listing, { id, value: { ...value, form: 1 } }, capitals),
  ];
  if (one === undefined || two === undefined || one.flaws.length > 0 || two.flaws.length > 0 || one.shown === two.shown)
    return undefined;
  const [finding, silent] = one.shown ? [first, second] : [second, first];
  return [
    {
      check: 'form-equivalence',
      requirement: 'forms.equivalent',
      operation: list,
      kind: 'a name in capitals is found in one form only',
      message: `${list.id}: a name in capitals is found through ${finding.name} only`,
      expected: `the same items through ${silent.name}`,
      received: 'a list without the item',
      exchanges: [one.page, two.page],
      final: false,
    },
  ];
}

function flawOf({ list }: Listing, flaw: Pick<Flaw, 'kind' | 'expected' | 'received' | 'exchanges'>): Flaw {
  return {
    check: 'filters',
    requirement: 'policies.search-name',
    operation: list,
    message: `${list.id}: ${flaw.kind} through ${SEARCH}`,
    ...flaw,
    final: false,
  };
}

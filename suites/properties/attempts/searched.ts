import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange } from '../../../spec/index.ts';
import { findsByAnyWord } from '../../../domain/builtin/search-by-words.ts';
import { idOf, itemsIn } from '../../../domain/items.ts';
import { pageQuery, pagingOf } from '../../../domain/read-list.ts';
import type { TestContext } from '../../kit/context.ts';
import { eventually } from '../../kit/polling.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Case } from '../case.ts';
import { exchangeViolations } from '../violation.ts';
import type { CaseViolation, CaseViolations } from '../violation.ts';
import { createItem, removeItem } from './items.ts';
import type { CaseItem, Listing } from './items.ts';
import { formOption } from './slot.ts';

/** A list with more pages is not read to its end. */
const MOST_PAGES = 5;
const PAGE = 100;

/** Longer names may make the request line too long. */
const LONGEST = 2000;

/** The parameter that selects by name. */
export const SEARCH = 'searchName';

const ABOUT = { subject: `?${SEARCH}`, requirement: 'policies.search-name' };

/** Creates the item of a case, searches for its name as it is read back, and for a name that no item has. */
export async function trySearched(t: TestContext, listing: Listing, value: Case, patient: boolean): CaseViolations {
  const item = await listing.fixture.slots.use((slot) => createItem(t, listing, value, slot));
  if (item === undefined) return [];
  const name = searchableName(item, t.tag);
  const violations =
    name === undefined
      ? []
      : [
          ...(await searchOwnName(t, listing, item, name, patient)),
          ...(await searchUnusedName(t, listing, item, name)),
          ...((await eventually(t.session, patient, () => differenceOfForms(t, listing, item, name))) ?? []),
        ];
  await removeItem(t, listing, item.id);
  return violations.map((each) => ({ ...each, exchanges: [item.created, ...each.exchanges] }));
}

/**
 * The name as it reads back, where it can be searched: it has the run's tag, nothing to trim, no character that was replaced, and no
 * U+0000, at which some databases end a text that they search for.
 */
function searchableName({ read }: CaseItem, tag: string): string | undefined {
  const json = read.response?.json;
  const name = isObject(json) ? json['name'] : undefined;
  return typeof name === 'string' &&
    name.includes(tag) &&
    name === name.trim() &&
    !/[\p{Surrogate}\uFFFD]/u.test(name) &&
    !name.includes('\0') &&
    encodeURIComponent(name).length <= LONGEST
    ? name
    : undefined;
}

interface Search {
  readonly violations: readonly CaseViolation[];
  readonly isFound: boolean;
  readonly page: Exchange;
}

/** Searches page by page until the item is found; undefined where the deployment refuses the search, which is allowed. */
async function search(
  t: TestContext,
  { list }: Listing,
  { id, value }: Pick<CaseItem, 'id' | 'value'>,
  name: string,
): Promise<Search | undefined> {
  const paging = pagingOf(list);
  for (let index = 0; ; index += 1) {
    const query = { ...(paging === undefined ? {} : pageQuery(paging, index, PAGE)), [SEARCH]: name };
    const label = `search for ${JSON.stringify(name)}`;
    const page = await t.sendQuietly(list, { query, ...formOption(list, value), label });
    const items = isServed(page) ? itemsIn(page) : undefined;
    const violations = exchangeViolations(t.session, list, page);
    if (items === undefined) return violations.length === 0 ? undefined : { violations, isFound: true, page };
    const isFound = items.some((each) => idOf(each) === id.toLowerCase());
    if (isFound || paging === undefined || items.length < PAGE || index + 1 === MOST_PAGES)
      return { violations, isFound, page };
  }
}

async function searchOwnName(
  t: TestContext,
  listing: Listing,
  item: CaseItem,
  name: string,
  patient: boolean,
): CaseViolations {
  let last: Search | undefined;
  await eventually(t.session, patient, async () => {
    last = await search(t, listing, item, name);
    return last === undefined || last.isFound ? undefined : last;
  });
  if (last === undefined || last.isFound) return last?.violations ?? [];
  const violation = violationOf('filters/not-found', listing.list, {
    ...ABOUT,
    expected: `the item whose name is ${JSON.stringify(name)}`,
    received: 'a list without it',
    exchanges: [item.read, last.page],
  });
  return [...last.violations, violation];
}

async function searchUnusedName(t: TestContext, listing: Listing, item: CaseItem, name: string): CaseViolations {
  const last = await search(t, listing, item, `${name}-not-used`);
  if (last === undefined || last.violations.length > 0) return last?.violations ?? [];
  if (!last.isFound || (await findsByAnyWord(t))) return [];
  return [
    violationOf('filters/wrongly-found', listing.list, {
      ...ABOUT,
      expected: `not the item whose name is ${JSON.stringify(name)}`,
      received: 'that item',
      exchanges: [item.read, last.page],
    }),
  ];
}

/** Whether a search ignores case is not documented, but both forms must do the same. */
async function differenceOfForms(
  t: TestContext,
  listing: Listing,
  { id, value }: CaseItem,
  name: string,
): Promise<readonly CaseViolation[] | undefined> {
  const [first, second] = listing.list.forms;
  const capitals = name.toUpperCase();
  if (first === undefined || second === undefined || capitals.toLowerCase() !== name.toLowerCase()) return undefined;
  const searchIn = (form: number): Promise<Search | undefined> =>
    search(t, listing, { id, value: { ...value, form } }, capitals);
  const [one, two] = [await searchIn(0), await searchIn(1)];
  if (one === undefined || two === undefined || one.isFound === two.isFound) return undefined;
  if (one.violations.length > 0 || two.violations.length > 0) return undefined;
  const [finding, other] = one.isFound ? [first, second] : [second, first];
  return [
    violationOf('form-equivalence/body', listing.list, {
      ...ABOUT,
      requirement: 'forms.equivalent',
      message: `${listing.list.id} finds a name in capitals through ${finding.name} only`,
      expected: `the same items through ${other.name}`,
      received: 'a list without the item',
      exchanges: [one.page, two.page],
    }),
  ];
}

import { isObject, isServed } from '../../../spec/index.ts';
import type { Exchange, Json, Operation } from '../../../spec/index.ts';
import { idOf, itemsIn } from '../../../domain/items.ts';
import { itemsWithIds, pageQuery, pagingOf, readLong } from '../../../domain/read-list.ts';
import type { TestContext } from '../../kit/context.ts';
import { eventually } from '../../kit/polling.ts';
import { NO_FORMATS, responseFormats } from '../../kit/formats.ts';
import type { Formats } from '../../kit/formats.ts';
import { asTexts } from '../../kit/as-texts.ts';
import { mismatches, topMember } from '../../kit/read-back.ts';
import type { Mismatch } from '../../kit/read-back.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Case } from '../case.ts';
import { exchangeViolations } from '../violation.ts';
import type { CaseViolation, CaseViolations } from '../violation.ts';
import { createItem, readInAllTypes, removeItem, textNames } from './items.ts';
import type { CaseItem, Listing } from './items.ts';
import { formOption } from './slot.ts';

const PAGE = 100;

/** Creates the items of all cases, reads the list once and removes them; returns the cases with a violation. */
export async function violatingCases(
  t: TestContext,
  listing: Listing,
  cases: readonly Case[],
): Promise<readonly Case[]> {
  const items = await createItems(t, listing, cases);
  const seen = await readPages(t, listing);
  const violations = await Promise.all(
    items.map(async (item) => [...listViolations(t, listing, item, seen), ...(await useItem(t, listing, item))]),
  );
  await Promise.all(items.map(({ id }) => removeItem(t, listing, id)));
  t.countCases(cases.length);
  return items.filter((_, index) => (violations[index] ?? []).length > 0).map(({ value }) => value);
}

/** Creates the item of a case, compares the list with the item, and calls every other operation on it. */
export async function tryListed(t: TestContext, listing: Listing, value: Case, patient: boolean): CaseViolations {
  const [item] = await createItems(t, listing, [value]);
  if (item === undefined) return [];
  const listed = await eventually(t.session, patient, async () => {
    const found = listViolations(t, listing, item, await readPages(t, listing));
    return found.length === 0 ? undefined : found;
  });
  const used = await useItem(t, listing, item);
  await removeItem(t, listing, item.id);
  return [...(listed ?? []), ...used].map((each) => ({ ...each, exchanges: [item.created, ...each.exchanges] }));
}

/** Reads an item in every media type and calls the operations that need no body. */
async function useItem(t: TestContext, listing: Listing, item: CaseItem): CaseViolations {
  const found: CaseViolation[] = [...(await readInAllTypes(t, listing, item))];
  for (const operation of listing.bodiless) {
    const exchange = await t.sendQuietly(operation, {
      path: { [listing.resource.idName]: item.id },
      ...formOption(operation, item.value),
      label: 'call the operation for the item',
    });
    found.push(...exchangeViolations(t.session, operation, exchange));
  }
  return found;
}

async function createItems(t: TestContext, listing: Listing, cases: readonly Case[]): Promise<readonly CaseItem[]> {
  const created = cases.map((value) => listing.fixture.slots.use((slot) => createItem(t, listing, value, slot)));
  return (await Promise.all(created)).filter((each) => each !== undefined);
}

/** A list as it was read. */
interface Pages {
  readonly pages: readonly Exchange[];
  /** True where it was read to its end. */
  readonly isComplete: boolean;
  readonly violations: readonly CaseViolation[];
}

async function readPages(t: TestContext, { list, resource }: Listing): Promise<Pages> {
  const paging = pagingOf(list);
  const { pages, isWhole } = await readLong(list, PAGE, (index, size) =>
    t.sendQuietly(list, { query: paging === undefined ? {} : pageQuery(paging, index, size), label: 'list' }),
  );
  const violations = pages.flatMap((page) => exchangeViolations(t.session, list, page));
  const isComplete = isWhole && itemsWithIds(pages[0], list, resource.idName) !== undefined;
  return { pages, violations, isComplete };
}

/** Violations of the list itself, or else a difference between its entry and the item. */
function listViolations(t: TestContext, { list }: Listing, item: CaseItem, seen: Pages): readonly CaseViolation[] {
  if (seen.violations.length > 0) return seen.violations;
  const { id, read } = item;
  const page = seen.pages.find((each) => listedItem(each, id) !== undefined);
  const last = seen.pages.at(-1);
  if (page !== undefined) return differentMember(t, list, item, page);
  if (!seen.isComplete || last === undefined || !isServed(read)) return [];
  return [
    violationOf('created-reads-back/not-listed', list, {
      expected: `${id} in the list`,
      received: 'a list without it',
      exchanges: [read, last],
    }),
  ];
}

function differentMember(
  t: TestContext,
  list: Operation,
  { value, id, read }: CaseItem,
  page: Exchange,
): readonly CaseViolation[] {
  const single = read.response?.json;
  const listed = listedItem(page, id);
  // A list may consist of ids.
  if (!isObject(listed) || !isObject(single)) return [];
  const names = textNames(value.request.body?.value).filter(
    (name) => Object.hasOwn(single, name) && Object.hasOwn(listed, name),
  );
  const shared = Object.fromEntries(names.map((name) => [name, single[name] ?? null]));
  const wrong = [...mismatches(shared, listed, new Set(), formatsOfRead(t, read))].find((each) => !isSummary(each));
  if (wrong === undefined) return [];
  const name = topMember(wrong.pointer);
  const [expected, received] = asTexts(wrong.sent, wrong.read);
  return [
    violationOf('created-reads-back/listed-member', list, {
      subject: `/${name}`,
      expected: `${wrong.pointer} = ${expected}, as in the item`,
      received: `${wrong.pointer} = ${received}`,
      exchanges: [read, page],
      instancePointer: wrong.pointer,
    }),
  ];
}

function formatsOfRead(t: TestContext, read: Exchange): Formats {
  const operation = t.contract.operation(read.operation);
  return operation === undefined ? NO_FORMATS : responseFormats(t.contract, operation);
}

/** A list may show the beginning of a long text, but a name is shown completely. */
function isSummary({ pointer, sent, read }: Mismatch): boolean {
  return (
    typeof sent === 'string' &&
    typeof read === 'string' &&
    read !== '' &&
    pointer !== '/name' &&
    sent.startsWith(read.replace(/(\.{3}|\u2026)$/, ''))
  );
}

function listedItem(page: Exchange, id: string): Json | undefined {
  return itemsIn(page)?.find((item) => idOf(item) === id.toLowerCase());
}

import { count } from '../../../spec/count.ts';
import type { Exchange, FindingCode, Json, Operation } from '../../../spec/index.ts';
import type { ListFixture } from '../../../domain/list-fixture.ts';
import { keyOf, keysIn } from '../../../domain/items.ts';
import { walk } from '../../../domain/read-list.ts';
import type { Walk } from '../../../domain/read-list.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';
import type { Case } from '../case.ts';
import { isKnown } from '../defects.ts';
import { exchangeViolations } from '../violation.ts';
import type { CaseViolation, CaseViolations } from '../violation.ts';

/** Page size that is larger than the lists of the tests. */
const WHOLE_LIST = 100;

type Query = Readonly<Record<string, Json>>;

/** What the pages of a list contradict. */
interface Contradiction {
  readonly code: FindingCode;
  readonly expected: string;
  readonly received: string;
  /** The pages that show it; default: all. */
  readonly shown?: readonly Exchange[];
}

/** Reads a list in pages of the case's size and compares it with the list in one page. */
export async function tryPages(t: TestContext, fixture: ListFixture, value: Case): CaseViolations {
  const { size, rest } = split(value.request.query);
  const whole = await readList(t, fixture, rest, WHOLE_LIST);
  const paged = await readList(t, fixture, rest, size);
  const unexpected = unknownViolations(t, [whole, paged]);
  if (unexpected !== undefined) return unexpected;
  if (whole.isCut || paged.isCut || hasEqualItems(whole)) return [];
  const isOrdered = rest['orderBy'] !== undefined || rest['sortDirection'] !== undefined;
  const found = findMissing(fixture, whole) ?? findContradiction(whole, paged, { size, isOrdered });
  if (found === undefined) return [];
  const { code, shown = [], ...evidence } = found;
  const exchanges = [...whole.pages.slice(0, 1), ...(shown.length === 0 ? paged.pages : shown)];
  return [violationOf(code, fixture.operation, { ...evidence, requirement: 'paging.partition', exchanges })];
}

function findMissing(fixture: ListFixture, whole: Walk): Contradiction | undefined {
  const missing = [...fixture.ids].find((id) => !whole.ids.includes(id));
  if (missing === undefined || whole.ids.length >= WHOLE_LIST) return undefined;
  return {
    code: 'paging-partition/items-missing',
    expected: `${count(fixture.ids.size, 'item')}, with any order`,
    received: `${count(whole.ids.length, 'item')}, without ${missing}`,
  };
}

function findContradiction(
  whole: Walk,
  paged: Walk,
  { size, isOrdered }: { readonly size: number; readonly isOrdered: boolean },
): Contradiction | undefined {
  const expected = `${count(whole.ids.length, 'item')}, as in one page`;
  const received = `${count(paged.ids.length, 'item')} in pages of ${size}`;
  const pagesWith = (...ids: readonly (string | undefined)[]): readonly Exchange[] =>
    paged.pages.filter((page) => keysIn(page)?.some((id) => ids.includes(id)));
  const twice = paged.ids.find((id, index) => paged.ids.indexOf(id) !== index);
  if (twice !== undefined)
    return {
      code: 'paging-partition/item-twice',
      expected: 'each item once',
      received: `${twice} more than once in pages of ${size}`,
      shown: pagesWith(twice),
    };
  const lost = whole.ids.findIndex((id) => !paged.ids.includes(id));
  if (lost >= 0) {
    const next = whole.ids.slice(lost).find((id) => paged.ids.includes(id));
    const [from = 0, to = from] = pagesWith(whole.ids[lost - 1], next).map((page) => paged.pages.indexOf(page));
    // The page after them may lack it.
    const shown = paged.pages.slice(from, to + 2);
    return { code: 'paging-partition/items-lost', expected, received, shown };
  }
  const unknown = paged.ids.find((id) => !whole.ids.includes(id));
  if (unknown !== undefined)
    return { code: 'paging-partition/unknown-item', expected, received, shown: pagesWith(unknown) };
  const moved = isOrdered ? paged.ids.find((id, index) => whole.ids[index] !== id) : undefined;
  if (moved === undefined) return undefined;
  return {
    code: 'paging-partition/order',
    expected: 'the order of the list in one page',
    received: `another order in pages of ${size}`,
    shown: pagesWith(moved),
  };
}

/** True for items without ids of which some have the same content: a page of them looks like one that was read before. */
function hasEqualItems({ items }: Pick<Walk, 'items'>): boolean {
  const contents = items.map((item) => keyOf(item)).filter((key) => key.startsWith('{'));
  return new Set(contents).size < contents.length;
}

/** A filter by a flag: each item must be in the list for true or in the list for false, and not in both. */
export async function tryHalves(
  t: TestContext,
  fixture: ListFixture,
  value: Case,
  flag: string,
  requirement: string,
): CaseViolations {
  const { size, rest } = split(value.request.query);
  const all = await readList(t, fixture, rest, WHOLE_LIST);
  const yes = await readList(t, fixture, { ...rest, [flag]: true }, size);
  const no = await readList(t, fixture, { ...rest, [flag]: false }, size);
  const unexpected = unknownViolations(t, [all, yes, no]);
  if (unexpected !== undefined) return unexpected;
  if ([all, yes, no].some(({ isCut }) => isCut)) return [];
  // That others are listed is a violation of the search or of the pages, which other tests judge.
  const own = all.ids.filter((id) => fixture.ids.has(id));
  const inBoth = own.find((id) => yes.ids.includes(id) && no.ids.includes(id));
  const inNeither = own.filter((id) => !yes.ids.includes(id) && !no.ids.includes(id));
  const received = inBoth ?? inNeither[0];
  if (received === undefined) return [];
  if (inBoth === undefined) {
    const lost = await lostOnPages(t, fixture, value, { flag, ids: inNeither, paged: { true: yes, false: no } });
    if (lost !== undefined) return lost;
  }
  return [
    violationOf(inBoth === undefined ? 'filters/not-found' : 'filters/wrongly-found', fixture.operation, {
      subject: `?${flag}`,
      requirement,
      message: `${fixture.operation.id} returns an item with ${inBoth === undefined ? 'neither' : 'both'} ${flag}=true ${inBoth === undefined ? 'nor' : 'and'} ${flag}=false`,
      expected: 'each item with one of the two values',
      received,
      exchanges: [all, yes, no].flatMap((each) => each.pages.slice(0, 1)),
    }),
  ];
}

/** Items that neither half of a filter by a flag showed in its pages. */
interface Halves {
  readonly flag: string;
  readonly ids: readonly string[];
  readonly paged: Readonly<Record<'true' | 'false', ListReading>>;
}

/** The violation where the item is missing with small pages only: of paging, where the list without the flag lacks it too. */
async function lostOnPages(
  t: TestContext,
  fixture: ListFixture,
  value: Case,
  { flag, ids, paged }: Halves,
): Promise<readonly CaseViolation[] | undefined> {
  const { size, rest } = split(value.request.query);
  const whole = {
    true: await readList(t, fixture, { ...rest, [flag]: true }, WHOLE_LIST),
    false: await readList(t, fixture, { ...rest, [flag]: false }, WHOLE_LIST),
  };
  const lostIn = (half: 'true' | 'false'): string | undefined => ids.find((id) => whole[half].ids.includes(id));
  // What is false need not be set first.
  const half = lostIn('false') === undefined ? 'true' : 'false';
  const id = lostIn(half);
  if (id === undefined) return undefined;
  const withoutFlag = await tryPages(t, fixture, value);
  if (withoutFlag.length > 0) return withoutFlag;
  return [
    violationOf('filters/lost-on-page', fixture.operation, {
      subject: flag,
      requirement: 'paging.partition',
      expected: `${id} with one of the values of ${flag}, as in pages of ${WHOLE_LIST}`,
      received: `a list without it in pages of ${size}`,
      exchanges: [...whole[half].pages.slice(0, 1), ...paged[half].pages],
    }),
  ];
}

function split(query: Query): { size: number; rest: Query } {
  const { take, pageSize, ...rest } = query;
  const given = take ?? pageSize;
  return { size: typeof given === 'number' ? given : WHOLE_LIST, rest };
}

interface ListReading extends Walk {
  /** Violations of single pages. */
  readonly violations: readonly CaseViolation[];
  /** True where a response holds no list. */
  readonly isUnreadable: boolean;
}

async function readList(t: TestContext, fixture: ListFixture, query: Query, size: number): Promise<ListReading> {
  const violations: CaseViolation[] = [];
  const send = async (operation: Operation, request?: RequestSpec): Promise<Exchange> => {
    const exchange = await t.sendQuietly(operation, request);
    violations.push(...exchangeViolations(t.session, operation, exchange));
    return exchange;
  };
  const seen = await walk(
    { ...t, send },
    fixture.operation,
    { ...fixture.request, query: { ...fixture.request.query, ...query }, label: `pages of ${size}` },
    size,
  );
  return { ...(seen ?? { pages: [], items: [], ids: [], isCut: false }), violations, isUnreadable: seen === undefined };
}

/** A violation of single pages that no property of parameters, which needs fewer of them, has reported; undefined: compare the pages. */
function unknownViolations(t: TestContext, readings: readonly ListReading[]): readonly CaseViolation[] | undefined {
  const violations = readings.flatMap((each) => each.violations);
  if (violations.length === 0 && !readings.some((each) => each.isUnreadable)) return undefined;
  return violations.filter((each) => !isKnown(t.session, each)).slice(0, 1);
}

import { count } from '../spec/count.ts';
import { create } from './create.ts';
import type { CreatedItem } from './create.ts';
import { isObject, isServed } from '../spec/index.ts';
import type { Exchange, Form, Json, Operation } from '../spec/index.ts';
import { Skip, settled } from './context.ts';
import type { ApiContext, RequestSpec } from './context.ts';
import { itemsIn, keysIn, keysShowing } from './items.ts';
import { pathValues } from './path-values.ts';
import type { PathValues } from './path-values.ts';
import { pageQuery, pagingOf, searchParameterOf, walk } from './read-list.ts';
import { idNameOf } from './resources.ts';
import type { Resource } from './resources.ts';

/** A list with known items, prepared for all tests of its operation. */
export interface ListFixture {
  readonly operation: Operation;
  /** What every request to the list carries. */
  readonly request: RequestSpec;
  /** Ids that must be in it, in lower case; the content of items without ids. */
  readonly ids: ReadonlySet<string>;
  /** True where requests with {@link request} return exactly these items, whatever others do meanwhile. */
  readonly isolated: boolean;
  /** How many items of others it showed, in a run that may create none. */
  readonly shown?: number;
  /** The requests of this run that filled it. */
  readonly filledBy?: readonly Exchange[];
  /** Reads the list again, and adds what has appeared in it to {@link ids}; unset where nothing can appear. */
  readonly refresh?: () => Promise<void>;
}

/** Evaluations of a list that grows: its items move to other pages while these are read. */
const MOST_EVALUATIONS = 6;

/** What `evaluate` finds in a list that did not change meanwhile: entries of an audit log may appear late. */
export async function whileSteady<T>(
  { ids, refresh }: ListFixture,
  evaluate: () => Promise<T>,
  isViolation: (found: T) => boolean = (found) => found !== undefined,
): Promise<T> {
  for (let count = 1; count <= MOST_EVALUATIONS; count += 1) {
    const before = [...ids].join();
    const found = await evaluate();
    if (!isViolation(found)) return found;
    await refresh?.();
    if ([...ids].join() === before) return found;
  }
  throw new Skip('the list changed each time that it was read');
}

/** Number of items after the default page. */
const AFTER_DEFAULT_PAGE = 3;

/** A list with more items than its default page, created once per run. `form`: the form through which it is read. */
export async function listFixtureFor(t: ApiContext, operation: Operation, form?: Form): Promise<ListFixture> {
  const fixture = await t.once(`list fixture ${operation.id}`, () => makeListFixture(t, operation));
  return form === undefined ? fixture : { ...fixture, request: { ...fixture.request, form } };
}

async function makeListFixture(t: ApiContext, operation: Operation): Promise<ListFixture> {
  const resource = t.knowledge.resources.find((each) => each.list === operation);
  if (resource !== undefined) {
    if (!t.allows('reversible')) return existingListFixture(t, operation, {}, false);
    return fillList(t, resource, operation, itemsWanted(operation), searchParameterOf(operation));
  }
  return (
    t.knowledge.listFixture(t, operation) ??
    existingListFixture(t, operation, await pathValues(t, operation, 'shared'), false)
  );
}

/** Number of items that fill more than the default page. */
export function itemsWanted(operation: Operation): number {
  return (pagingOf(operation)?.defaultSize ?? 0) + AFTER_DEFAULT_PAGE;
}

/** The alphabet in an order that differs from the order of creation and from every sort order of the items. */
const LETTERS = Array.from('qbxjeuahwfrkczmgpnyvtsdlio');

/** Creates items with names that sort in another order than they were created. */
async function fillList(
  t: ApiContext,
  resource: Resource,
  list: Operation,
  count: number,
  searchBy?: string,
): Promise<ListFixture> {
  const references = await t.knowledge.references(t, resource.create, {});
  const ids = new Set<string>();
  const filledBy: Exchange[] = [];
  const made: Made[] = [];
  const stem = `list${list.path.length}`;
  const work = LETTERS.slice(0, count).map((letter, index) => async () => {
    const body = (name: string): Json | undefined =>
      index % 3 === 1 ? withoutDescription(t.knowledge.sampleBody(resource.create, name, references)) : undefined;
    const options = { suffix: `${stem}${letter}`, label: 'create an item of the list', body };
    const { id, name, created } = await create(t, resource, options);
    ids.add(id.toLowerCase());
    made.push({ id: id.toLowerCase(), name, created });
    filledBy.push(created);
  });
  for (let at = 0; at < work.length; at += 4) await Promise.all(work.slice(at, at + 4).map((each) => each()));
  const request: RequestSpec = searchBy === undefined ? {} : { query: { [searchBy]: `${t.tag}-${stem}` } };
  let last: Exchange | undefined;
  const isIsolated = async (): Promise<boolean> => {
    const size = 2 * ids.size + 10;
    const first = await readPage(t, { operation: list, request }, 0, size);
    last = first.exchange;
    const length = first.ids?.length ?? 0;
    // A maximum page size, which is not documented, may have shortened the page.
    const isShort = length < ids.size && length >= (pagingOf(list)?.defaultSize ?? ids.size);
    const seen = isShort ? (await walk(t, list, request, size))?.ids : first.ids;
    return seen?.length === ids.size && seen.every((each) => ids.has(each));
  };
  const isolated = searchBy !== undefined && (await settled(t, isIsolated));
  if (!isolated && isServed(last)) reportTwice(t, resource, last, made);
  return { operation: list, request: isolated ? request : {}, ids, isolated, filledBy };
}

type Made = Pick<CreatedItem, 'id' | 'name' | 'created'>;

/** Reports a creation after which the list shows several items of its unique name. */
function reportTwice(
  t: ApiContext,
  { create: operation, idName }: Resource,
  listed: Exchange,
  made: readonly Made[],
): void {
  const items = itemsIn(listed) ?? [];
  for (const { id, name, created } of made) {
    const ids = keysShowing(name, items, id, idName);
    if (ids.length < 2) continue;
    return t.report({
      code: 'created-reads-back/created-twice',
      operation,
      message: `one request of ${operation.id} created several items`,
      expected: `one item named ${name}`,
      received: `${ids.length} items: ${ids.join(', ')}`,
      exchanges: [created, listed],
    });
  }
}

/** Some items have no description, because lists can be ordered by it. */
function withoutDescription(body: Json | undefined): Json | undefined {
  if (!isObject(body)) return undefined;
  const { description: _description, ...rest } = body;
  return rest;
}

/** One page, counted from 0; `ids` is undefined where the response held no list. */
export async function readPage(
  t: ApiContext,
  { operation, request }: Pick<ListFixture, 'operation' | 'request'>,
  index: number,
  size: number,
): Promise<{ readonly exchange: Exchange; readonly ids: readonly string[] | undefined }> {
  const paging = pagingOf(operation);
  const query = { ...request.query, ...(paging === undefined ? {} : pageQuery(paging, index, size)) };
  const label = `page ${index + (paging?.first ?? 0)}, with ${count(size, 'item')} a page`;
  const exchange = await t.send(operation, { ...request, query, valid: true, label });
  return { exchange, ids: keysIn(exchange, idNameOf(t.contract, operation)) };
}

const LARGE_PAGE = 50;

/** A list with the items that it has; `own`: this run filled it, and nothing changes it any more. */
export async function existingListFixture(
  t: ApiContext,
  operation: Operation,
  path: PathValues,
  own: boolean,
): Promise<ListFixture> {
  const paging = pagingOf(operation);
  const all = await walk(t, operation, { path, label: 'read all' }, LARGE_PAGE);
  if (paging !== undefined && own) {
    // A page without items may leave the list out: then nothing was walked.
    const first = all?.pages[0] ?? (await readPage(t, { operation, request: { path } }, 0, LARGE_PAGE)).exchange;
    if (isServed(first)) await checkFirstPage(t, operation, path, first);
  }
  if (all === undefined || all.ids.length === 0) throw new Skip(`${operation.id} lists no items`);
  const shown = t.allows('reversible') ? {} : { shown: all.ids.length };
  if (!own) return { operation, request: { path }, ids: new Set(), isolated: false, ...shown };
  const ids = new Set([...all.ids, ...(await idsInBothDirections(t, operation, path))]);
  const refresh = async (): Promise<void> => {
    const seen = await walk(t, operation, { path, label: 'read all again' }, LARGE_PAGE);
    if (seen?.pages.every(isServed) !== true) return;
    const current = new Set([...seen.ids, ...(await idsInBothDirections(t, operation, path))]);
    // An item without an id is known by its content, such as a state, which may have changed.
    for (const id of ids) if (id.startsWith('{') && !current.has(id)) ids.delete(id);
    for (const id of current) ids.add(id);
  };
  return { operation, request: { path }, ids, isolated: true, refresh };
}

/** Ids of the list in both directions: an item that is missing at the end in one may be listed in the other. */
async function idsInBothDirections(t: ApiContext, operation: Operation, path: PathValues): Promise<readonly string[]> {
  if (!operation.parameters.some((each) => each.in === 'query' && each.name === 'sortDirection')) return [];
  const walks = await Promise.all(
    [0, 1].map((sortDirection) =>
      walk(
        t,
        operation,
        { path, query: { sortDirection }, label: `read all with sortDirection=${sortDirection}` },
        LARGE_PAGE,
      ),
    ),
  );
  return walks.flatMap((seen) => (seen?.pages.every(isServed) === true ? seen.ids : []));
}

/** Reports a large first page that lacks items of the default page, or of the smallest one: then the first page has another number. */
async function checkFirstPage(t: ApiContext, operation: Operation, path: PathValues, all: Exchange): Promise<void> {
  const paging = pagingOf(operation);
  if (paging === undefined) return;
  const idName = idNameOf(t.contract, operation);
  const known = new Set(keysIn(all, idName));
  const smallest = { query: pageQuery(paging, 0, 1), label: 'the first page, of one item' };
  for (const request of [{ label: 'without paging parameters' }, smallest]) {
    const first = await t.send(operation, { path, ...request });
    const lost = keysIn(first, idName)?.find((id) => !known.has(id));
    if (lost === undefined) continue;
    // An item that has appeared in the meantime is on the large page as well.
    const again = await readPage(t, { operation, request: { path } }, 0, LARGE_PAGE);
    if (!isServed(again.exchange) || again.ids?.includes(lost) === true) continue;
    return t.report({
      code: 'paging-base/first-page',
      requirement: paging.first === 1 ? 'paging.page-number-one-based' : 'paging.page-zero-based',
      operation,
      message: `${operation.id}: ${paging.number}=${paging.first} is not the first page`,
      expected: `the items of a smaller page, including ${lost}`,
      received: `${known.size} other items`,
      exchanges: [first, all],
    });
  }
}

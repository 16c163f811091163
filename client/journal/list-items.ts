import type { Form, Json, Operation, Parameter } from '../../spec/index.ts';
import { isObject, isSuccess, listIn } from '../../spec/index.ts';
import { sizeParameterOf } from '../middleware/page-size.ts';
import type { Target } from '../pipeline.ts';

export interface ListedItems {
  readonly items: readonly Json[];
  /** Why there may be more; undefined if all were read. */
  readonly incomplete?: string;
}

const PAGE_SIZE = 100;
const MOST_BYTES = 64 * 1024 * 1024;
const LONGEST_MS = 120_000;

function find(operation: Operation, pattern: RegExp): Parameter | undefined {
  return operation.parameters.find(({ name, in: place }) => place === 'query' && pattern.test(name));
}

function firstPage(parameter: Parameter): number {
  const { schema } = parameter.schema;
  const first = isObject(schema) ? (schema['default'] ?? schema['minimum']) : undefined;
  return typeof first === 'number' ? first : Number(/number$/i.test(parameter.name));
}

/** The page size: the usual one, or the maximum of the description. */
function mostOf({ schema: { schema } }: Parameter): number {
  const most = isObject(schema) ? schema['maximum'] : undefined;
  return typeof most === 'number' && most >= 1 ? Math.min(PAGE_SIZE, most) : PAGE_SIZE;
}

/** The named form, or else the last: the document prefers the versioned one. */
export function preferredForm(operation: Operation, name?: string): Form | undefined {
  return operation.forms.find((form) => form.name === name) ?? operation.forms.at(-1);
}

/** Searches a collection by its search parameter; empty if it has none, or if the search fails. */
export async function searchItems(target: Target, operation: Operation, text: string): Promise<readonly Json[]> {
  const form = preferredForm(operation);
  const search = find(operation, /^search/i);
  if (!form || !search || form.path.includes('{')) return [];
  const exchange = await target.send({ operation, form, query: { [search.name]: text } });
  return (isSuccess(exchange.response?.status ?? 0) ? listIn(exchange.response?.json)?.items : undefined) ?? [];
}

/** What one form of a list shows. */
interface FormItems extends Pick<ListedItems, 'incomplete'> {
  /** By their JSON text. */
  readonly seen: ReadonlyMap<string, Json>;
  /** True where there are more pages than the limits allow to read. */
  readonly isCut?: boolean;
}

interface Page {
  readonly items: readonly Json[];
  readonly bytes: number;
}

interface NoPage {
  readonly why: string;
  /** The service has no such page: it refuses the number. */
  readonly isRefused: boolean;
}

async function readPage(
  target: Target,
  operation: Operation,
  form: Form,
  query: Readonly<Record<string, number>>,
): Promise<Page | NoPage> {
  const { response, failure } = await target.send({ operation, form, query });
  // A list with a wrong status of success shows what is to be removed, too.
  const items = isSuccess(response?.status ?? 0) ? listIn(response?.json)?.items : undefined;
  if (response && items) return { items, bytes: response.body.byteLength };
  return {
    why: `${operation.id}: no list in the response (${response?.status ?? failure?.message})`,
    isRefused: REFUSED.includes(response?.status ?? 0),
  };
}

const REFUSED: readonly number[] = [400, 404, 416, 422];

/**
 * Reads a collection; where its preferred form does not show all, also in the other forms. One of those shows all if it can be read to
 * its end and has the items of the preferred form; an empty list does not tell that there is nothing.
 */
export async function listItems(target: Target, operation: Operation): Promise<ListedItems> {
  const preferred = preferredForm(operation);
  if (!preferred || preferred.path.includes('{'))
    return { items: [], incomplete: `${operation.id} needs path parameters` };
  const { seen: first, incomplete, isCut = false } = await listForm(target, operation, preferred);
  const all = new Map(first);
  if (incomplete === undefined) return { items: [...all.values()] };
  for (const form of isCut ? [] : operation.forms.filter((each) => each !== preferred)) {
    const other = await listForm(target, operation, form);
    for (const [key, item] of other.seen) all.set(key, item);
    const showsFirst = other.seen.size > 0 && [...first.keys()].every((key) => other.seen.has(key));
    if (other.incomplete === undefined && showsFirst) return { items: [...all.values()] };
  }
  return { items: [...all.values()], incomplete };
}

/** Reads a collection page by page until a page contains nothing new, within limits of time and memory. */
async function listForm(target: Target, operation: Operation, form: Form): Promise<FormItems> {
  const page = find(operation, /^page(number|index)?$/i);
  const size = sizeParameterOf(operation);
  const offset = page ? undefined : find(operation, /^(offset|skip)$/i);
  const seen = new Map<string, Json>();
  const until = performance.now() + LONGEST_MS;
  let bytes = 0;
  for (let number = page ? firstPage(page) : 0; bytes < MOST_BYTES && performance.now() < until; number += 1) {
    const at = (index: number): Readonly<Record<string, number>> => ({
      ...(page ? { [page.name]: index } : {}),
      ...(size ? { [size.name]: mostOf(size) } : {}),
      ...(offset ? { [offset.name]: seen.size } : {}),
    });
    let read = await readPage(target, operation, form, at(number));
    // Many descriptions do not say whether the first page is 0 or 1; past the last page, some services answer 404.
    if ('why' in read && read.isRefused && page && number === 0)
      read = await readPage(target, operation, form, at((number = 1)));
    if ('why' in read) return { seen, ...(read.isRefused && number > 1 ? {} : { incomplete: read.why }) };
    const before = seen.size;
    for (const item of read.items) seen.set(JSON.stringify(item), item);
    if ((!page && !offset) || seen.size === before) return { seen };
    bytes += read.bytes;
  }
  return { seen, incomplete: `${operation.id} has more pages than the clean-up can read`, isCut: true };
}

import { isObject } from '../../spec/index.ts';
import type { Exchange, Json, Operation, Parameter } from '../../spec/index.ts';

/** How the pages of a list are requested, by the usual names of query parameters. */
export interface PageParameters {
  /** Undefined where the service alone decides how many items a page has. */
  readonly size?: string;
  /** Fewest items of a page: as many are requested, at least 2. */
  readonly least: number;
  readonly number?: string;
  /** Number of the first page; 1 where it is not described: that may be the second one, which is followed by page 2. */
  readonly start: number;
  readonly offset?: string;
  readonly cursor?: string;
}

/** The usual names, with or without `page` before them, as in `page[size]`. */
const NAMES = {
  size: /^(take|limit|size|top|per_?page|(page_?)?(size|limit)|max_?results)$/i,
  number: /^(page|page_?(number|index))$/i,
  offset: /^((page_?)?(offset|skip))$/i,
  cursor: /^((page_?)?(cursor|token|after)|next_?token|continuation_?token)$/i,
} as const;

/** Members of a response that hold the cursor of the next page. */
const NEXT = /^(next|(next_?)?((page_?)?(cursor|token)|continuation_?token))$/i;

const plainName = (name: string): string => name.replaceAll(/[[\].$-]+/g, '_').replaceAll(/^_|_$/g, '');

function named(operation: Operation, names: RegExp): Parameter | undefined {
  return operation.parameters.find((each) => each.in === 'query' && names.test(plainName(each.name)));
}

/** The parameters of a list that has pages; undefined where its place, or a size that the place depends on, cannot be requested. */
export function pageParameters(operation: Operation): PageParameters | undefined {
  const size = named(operation, NAMES.size);
  const [number, offset, cursor] = [NAMES.number, NAMES.offset, NAMES.cursor].map((names) => named(operation, names));
  // A text that is named `page` is something else, unless there is a size beside it.
  const isNumbered =
    number !== undefined && isObject(number.schema.schema) && number.schema.schema['type'] === 'integer';
  const hasPlace = size === undefined ? isNumbered : (number ?? offset ?? cursor) !== undefined;
  if (operation.method !== 'GET' || !hasPlace) return undefined;
  return {
    ...(size === undefined ? {} : { size: size.name }),
    least: Math.max(2, described(size, 'minimum') ?? 0),
    start: described(number, 'default') ?? described(number, 'minimum') ?? 1,
    ...(number === undefined ? {} : { number: number.name }),
    ...(offset === undefined ? {} : { offset: offset.name }),
    ...(cursor === undefined ? {} : { cursor: cursor.name }),
  };
}

function described(parameter: Parameter | undefined, keyword: 'default' | 'minimum'): number | undefined {
  const schema = parameter?.schema.schema;
  const value = isObject(schema) ? schema[keyword] : undefined;
  return typeof value === 'number' ? value : undefined;
}

export function firstQuery(paging: PageParameters): Readonly<Record<string, Json>> {
  const { number, start, offset } = paging;
  const sized = sizeOf(paging);
  if (number !== undefined) return { ...sized, [number]: start };
  return { ...sized, ...(offset === undefined ? {} : { [offset]: 0 }) };
}

function sizeOf({ size, least }: PageParameters): Readonly<Record<string, Json>> {
  return size === undefined ? {} : { [size]: least };
}

/** The query of the page after the first one; undefined where there is no such page. */
export function nextQuery(paging: PageParameters, { response }: Exchange): Readonly<Record<string, Json>> | undefined {
  const { least, number, start, offset, cursor } = paging;
  const sized = sizeOf(paging);
  if (number !== undefined) return { ...sized, [number]: start + 1 };
  if (offset !== undefined) return { ...sized, [offset]: least };
  const token = cursorIn(response?.json);
  return cursor === undefined || token === undefined ? undefined : { ...sized, [cursor]: token };
}

/** The cursor in a wrapper of a list, or one level below it. A URL is no cursor. */
function cursorIn(json: Json | undefined, depth = 2): string | undefined {
  if (!isObject(json) || depth === 0) return undefined;
  const isCursor = ([key, value]: readonly [string, Json]): boolean =>
    NEXT.test(key) && typeof value === 'string' && value !== '' && !value.includes('/');
  const own = Object.entries(json).find(isCursor)?.[1];
  if (typeof own === 'string') return own;
  return Object.values(json)
    .map((value) => cursorIn(value, depth - 1))
    .find((each) => each !== undefined);
}

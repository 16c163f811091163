import { isObject } from '../../spec/index.ts';
import type { Exchange, Json, Operation, Parameter } from '../../spec/index.ts';

/** How the pages of a list are requested, by the usual names of query parameters. */
export interface PageParameters {
  readonly size: string;
  /** Fewest items that may be requested, at least 2. */
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

/** The parameters of a list that has pages; undefined where its size or its place cannot be requested. */
export function pageParameters(operation: Operation): PageParameters | undefined {
  const size = named(operation, NAMES.size);
  const [number, offset, cursor] = [NAMES.number, NAMES.offset, NAMES.cursor].map((names) => named(operation, names));
  if (operation.method !== 'GET' || size === undefined || (number ?? offset ?? cursor) === undefined) return undefined;
  return {
    size: size.name,
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

/** The query of the first page. */
export function firstQuery({ size, least, number, start, offset }: PageParameters): Readonly<Record<string, Json>> {
  if (number !== undefined) return { [size]: least, [number]: start };
  return { [size]: least, ...(offset === undefined ? {} : { [offset]: 0 }) };
}

/** The query of the page after the first one; undefined where there is no such page. */
export function nextQuery(
  { size, least, number, start, offset, cursor }: PageParameters,
  { response }: Exchange,
): Readonly<Record<string, Json>> | undefined {
  if (number !== undefined) return { [size]: least, [number]: start + 1 };
  if (offset !== undefined) return { [size]: least, [offset]: least };
  const token = cursorIn(response?.json);
  return cursor === undefined || token === undefined ? undefined : { [size]: least, [cursor]: token };
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

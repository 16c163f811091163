import type { Exchange, Json, Operation, Parameter } from '../spec/index.ts';
import { idOf, itemsOf } from './items.ts';
import type { RequestSpec, ApiContext } from './context.ts';

/** How a list is paged, by the names of its parameters (api.md section 8). */
export interface Paging {
  readonly number: string;
  readonly size: string;
  /** Number of the first page. */
  readonly first: 0 | 1;
  readonly defaultSize: number;
}

const ZERO_BASED = { number: 'page', size: 'take', first: 0 } as const;
const ONE_BASED = { number: 'pageNumber', size: 'pageSize', first: 1 } as const;

/** The paging of a list; undefined where it has none that the document describes. */
export function pagingOf(operation: Operation): Paging | undefined {
  for (const style of [ZERO_BASED, ONE_BASED]) {
    const size = operation.parameters.find((each) => each.in === 'query' && each.name === style.size);
    const number = operation.parameters.find((each) => each.in === 'query' && each.name === style.number);
    const defaultSize = defaultOf(size);
    if (defaultSize !== undefined && defaultOf(number) === style.first) return { ...style, defaultSize };
  }
  return undefined;
}

function defaultOf(parameter: Parameter | undefined): number | undefined {
  const schema = parameter?.schema.schema;
  const given = typeof schema === 'object' ? schema['default'] : undefined;
  return typeof given === 'number' ? given : undefined;
}

/** Query that asks for a page, `index` counted from 0 whatever the base. */
export function pageQuery(paging: Paging, index: number, size: number): Record<string, Json> {
  return { [paging.number]: paging.first + index, [paging.size]: size };
}

/** What a walk through all pages saw. */
export interface Walk {
  readonly pages: readonly Exchange[];
  readonly items: readonly Json[];
  readonly ids: readonly string[];
}

/** Most pages of one walk; a list that never ends is cut there. */
const MOST_PAGES = 500;

/** Reads all pages of a list, until one is not full; a list without paging is one page. Undefined: an answer held no list. */
export async function walk(
  t: ApiContext,
  operation: Operation,
  ask: RequestSpec,
  size = 100,
): Promise<Walk | undefined> {
  const paging = pagingOf(operation);
  const pages: Exchange[] = [];
  const items: Json[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < MOST_PAGES; index += 1) {
    const query = paging === undefined ? ask.query : { ...ask.query, ...pageQuery(paging, index, size) };
    const exchange = await t.send(operation, { ...ask, ...(query === undefined ? {} : { query }) });
    const page = itemsOf(exchange.response?.json);
    pages.push(exchange);
    if (page === undefined) return index === 0 || page !== undefined ? undefined : finish(pages, items);
    const fresh = page.filter((item) => !seen.has(idOf(item) ?? JSON.stringify(item)));
    for (const item of page) seen.add(idOf(item) ?? JSON.stringify(item));
    items.push(...page);
    if (paging === undefined || page.length === 0 || fresh.length === 0) break;
  }
  return finish(pages, items);
}

function finish(pages: readonly Exchange[], items: readonly Json[]): Walk {
  return { pages, items, ids: items.map((item) => idOf(item) ?? '') };
}

/** The page of a walk that has the item; the first page where none has. */
export function pageWith({ pages }: Walk, id: string): Exchange | undefined {
  return (
    pages.find((page) =>
      JSON.stringify(page.response?.json ?? '')
        .toLowerCase()
        .includes(id.toLowerCase()),
    ) ?? pages[0]
  );
}

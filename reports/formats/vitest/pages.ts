import type { FindingScript } from '../../../spec/index.ts';

/** Smallest size of a page that is asked for in order to see the whole list. */
const LARGE_PAGE = 50;

export const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '');

/** The parameter of a query that numbers the pages: its default is smaller than that of their size. */
export function pageNumberIn(query: URLSearchParams, defaults: FindingScript['defaults']): string | undefined {
  const [number] = [...query.keys()]
    .filter((name) => name in defaults)
    .toSorted((a, b) => (defaults[a] ?? 0) - (defaults[b] ?? 0));
  return number;
}

/** Size of the page that a request asks for; undefined where it names no page, or an offset, which counts items. */
export function pageSizeIn(url: string, defaults: FindingScript['defaults']): number | undefined {
  const query = queryOf(url);
  const number = pageNumberIn(query, defaults);
  const sizes = [...query].flatMap(([name, value]) => (name in defaults && name !== number ? Number(value) : []));
  return number === undefined || /offset|skip/i.test(number) ? undefined : sizes.find((size) => size > 0);
}

/** How many items the pages hold before the one that a request asks for. */
export function itemsBefore(url: string, defaults: FindingScript['defaults']): number {
  const query = queryOf(url);
  const number = pageNumberIn(query, defaults) ?? '';
  const pages = Number(query.get(number)) - (defaults[number] ?? 0);
  return Math.max(0, pages) * (pageSizeIn(url, defaults) ?? 0);
}

/** Size of the page, where a request asks for the first page, and for a large one. */
export function largePageOf(url: string, defaults: FindingScript['defaults']): number | undefined {
  const query = queryOf(url);
  const number = pageNumberIn(query, defaults);
  const size = pageSizeIn(url, defaults) ?? 0;
  const isFirst = number !== undefined && query.get(number) === String(defaults[number]);
  return isFirst && size >= LARGE_PAGE ? size : undefined;
}

import { idsOf } from '../../domain/items.ts';
import type { Exchange } from '../../spec/index.ts';

const MOST_READS = 500;
const LARGEST_READ = 32 * 1024;
const MOST_ITEMS = 2000;
const MOST_CHANGES = 64;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/**
 * What a finding needs to be shown again: the last answer to each of the last reads, of a list the first with these items,
 * and what created and changed the items of tests that are under way. Ids may be in upper or lower case.
 */
export class History {
  readonly #origins = new Map<string, Exchange>();
  readonly #reads = new Map<string, Exchange>();
  readonly #changes = new Map<string, Exchange[]>();
  readonly #served = new Set<string>();

  add(exchange: Exchange): void {
    const { request, response, identity } = exchange;
    if (identity !== 'full' || response === undefined || response.status >= 300) return;
    this.#served.add(exchange.operation);
    if (request.method !== 'GET') this.#addChange(exchange);
    else if (response.body.byteLength >= 32 && response.body.byteLength <= LARGEST_READ)
      keep(this.#reads, request.url, this.#firstAlike(exchange), MOST_READS);
  }

  /** Items that were changed since contain more ids: only what was read before a change tells where an id is found then. */
  #firstAlike(read: Exchange): Exchange {
    const earlier = this.#reads.get(read.request.url);
    const ids = idsOf(read.response?.json)?.join(' ') ?? '';
    return earlier !== undefined && ids !== '' && ids === idsOf(earlier.response?.json)?.join(' ') ? earlier : read;
  }

  /** A read of another URL than the id's own whose answer contains the id (lower case): the one with the shortest URL. */
  showing(id: string): Exchange | undefined {
    const needles = [id, id.toUpperCase()].map((each) => Buffer.from(each));
    return [...this.#reads.values()]
      .filter(({ request, response }) => {
        const { body = new Uint8Array() } = response ?? {};
        const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
        return !request.url.toLowerCase().includes(id) && needles.some((needle) => bytes.includes(needle));
      })
      .toSorted((a, b) => a.request.url.length - b.request.url.length)[0];
  }

  /** True for an operation that answered a request successfully. */
  hasServed(operation: string): boolean {
    return this.#served.has(operation);
  }

  /** The exchange that created an item. */
  originOf(id: string): Exchange | undefined {
    return this.#origins.get(id.toLowerCase());
  }

  addOrigin(id: string, exchange: Exchange): void {
    keep(this.#origins, id.toLowerCase(), exchange, MOST_ITEMS);
  }

  /** Drops what created and changed an item that no test will use again. */
  forget(id: string): void {
    this.#origins.delete(id.toLowerCase());
    this.#changes.delete(id.toLowerCase());
  }

  /** The successful requests that changed an item or something under it, in their order. */
  changesOf(id: string): readonly Exchange[] {
    return this.#changes.get(id.toLowerCase()) ?? [];
  }

  #addChange(exchange: Exchange): void {
    for (const [id] of (exchange.request.url.split('?', 1)[0] ?? '').matchAll(UUID)) {
      const changes = this.#changes.get(id.toLowerCase()) ?? [];
      if (changes.length < MOST_CHANGES) changes.push(exchange);
      keep(this.#changes, id.toLowerCase(), changes, MOST_ITEMS);
    }
  }
}

/** Puts a value last, and drops the oldest of more than `most`. */
function keep<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > most ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}

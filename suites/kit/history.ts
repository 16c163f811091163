import { filledBy, fitOf, idsCreatedBy, idsInRequest, itemOf, mayProvide, noteId } from '../../client/index.ts';
import type { FindingSources } from '../../client/index.ts';
import type { Exchange } from '../../spec/index.ts';
import { ChangesUnderWay } from './changes-under-way.ts';
import { keep, LastAnswers } from './last-answers.ts';
import { areTogether, LatestChanges } from './latest-changes.ts';
import { LatestReads, unparsed } from './latest-reads.ts';

const MOST_URLS = 5000;
/** Changes with a longer body are left out. */
const LARGEST_CHANGE = 8 * 1024;
const MOST_ITEMS = 2000;
/** Most creations and updates of one collection that are shown. */
const MOST_BEFORE_FAILURE = 12;
/** Creations that returned one id. */
const MOST_WITH_ID = 8;
/** Of one item: earlier changes are replaced by later ones of the same operation. */
const MOST_CHANGES = 16;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The URL of a list that need not show an item all the time: it is filtered, or a later page, to and from which items move. */
const SHOWS_PART = /[?&](?:search|filter|metadata|offset|skip|page\w*=(?!0(?:&|$)))/i;

/**
 * Exchanges with which a finding can be reproduced: the last response to each of the latest reads (of a list, the first response with
 * the same items), and the exchanges that created and changed the items of running tests. Ids may be in upper or lower case.
 */
export class History {
  /** By id, the last creation of each operation that returned it: items of two collections may have the same number. */
  readonly #origins = new Map<string, readonly Exchange[]>();
  /** All ids that creations returned, each after the operation. */
  readonly #returnedIds = new Set<string>();
  /** By ids that several creations returned: those before the last one, as far as they are kept. */
  readonly #shared = new Map<string, readonly Exchange[]>();
  readonly #changes = new Map<string, Exchange[]>();
  /** By id of an item, when its first update was sent. */
  readonly #updatedAt = new Map<string, number>();
  readonly #served = new Set<string>();
  readonly reads = new LatestReads();
  readonly latest = new LatestChanges();
  /** When reads of a URL began to fail, until one succeeds again. */
  readonly #failedAt = new Map<string, number>();
  /** The same by the id of each failed read. */
  readonly #failures = new Map<string, number>();
  /** URLs of successful reads, with their query and without. */
  readonly #succeeded = new Map<string, true>();
  readonly #answers = new LastAnswers();
  readonly #underWay = new ChangesUnderWay();

  add(exchange: Exchange): void {
    const { request, response, identity } = exchange;
    if (identity !== 'full') return;
    if (response === undefined) {
      // It may have been processed.
      if (request.method !== 'GET' && exchange.failure?.stage !== 'connecting') this.#addChange(exchange);
      return;
    }
    this.#answers.add(exchange);
    if (request.method !== 'GET') this.#underWay.add(exchange);
    if (response.status >= 500 && request.method === 'GET') this.#noteFailure(exchange);
    // What failed may have changed something.
    if (response.status >= 500 && request.method !== 'GET') this.#addChange(exchange);
    if (response.status >= 300) return;
    for (const form of ['', exchange.form]) this.#served.add(`${exchange.operation} ${form}`);
    this.#noteInCollection(exchange);
    if (request.method !== 'GET') this.#addChange(exchange);
    else this.#noteSuccess(request.url);
    if (request.method === 'GET') this.reads.add(exchange);
  }

  get sources(): FindingSources {
    return {
      origin: (id, user) => this.originOf(id, user),
      seen: (id, user) => this.reads.showing(id, user),
      changes: (id) => this.changesOf(id),
      updatedAt: (id) => this.#updatedAt.get(id),
      beforeFailure: (read) => this.beforeFailure(read),
      sameAnswer: (exchange) => this.reads.sameAnswer(exchange),
      readBefore: (exchange, inAnyForm) => this.reads.before(exchange, inAnyForm),
      hasServed: (operation, form) => this.hasServed(operation, form),
      alongside: (exchanges) => this.#underWay.during(exchanges),
      sameName: (created) => this.#withSameName(created),
      sameSince: (read, change) => this.#answers.sameSince(read, change),
    };
  }

  /** An empty list before that answer to the same read, and an item that was to be listed: no change of it explains that it was not. */
  missedIn(
    read: Exchange,
    settleMs: number,
  ): { readonly empty: Exchange; readonly id: string; readonly created: Exchange } | undefined {
    const { empty, ids = [] } = this.#answers.emptyBefore(read) ?? {};
    if (empty === undefined || SHOWS_PART.test(read.request.url)) return undefined;
    const isSettled = ({ sentAt, durationMs }: Exchange): boolean => sentAt + durationMs + settleMs < empty.sentAt;
    for (const id of ids) {
      const created = this.originOf(id);
      if (created !== undefined && [created, ...this.changesOf(id)].every(isSettled)) return { empty, id, created };
    }
    return undefined;
  }

  /** True for an operation that answered a request successfully, through the form where one is named. */
  hasServed(operation: string, form = ''): boolean {
    return this.#served.has(`${operation} ${form}`);
  }

  /** The exchange that created an item, of the collection in which another exchange uses the id. */
  originOf(id: string, user?: Exchange): Exchange | undefined {
    const key = id.toLowerCase();
    const known = this.#origins.get(key) ?? [];
    if (user === undefined) return known.at(-1);
    const fitting = known.filter((each) => mayProvide(each, key, user));
    return fitting.findLast((each) => fitOf(each, key, user) === 2) ?? fitting.at(-1);
  }

  addOrigin(id: string, exchange: Exchange): void {
    noteId(id);
    const key = id.toLowerCase();
    const origins = this.#origins.get(key) ?? [];
    const earlier = origins.find(({ operation }) => operation === exchange.operation);
    const returned = `${exchange.operation} ${key}`;
    const own = unparsed(exchange);
    // What sends the id needs what created its item.
    const isSent = earlier !== undefined && idsInRequest(exchange).includes(key);
    const [source, other] = isSent ? [earlier, own] : [own, earlier];
    // An id that was found in a list was not returned.
    const isReturned = exchange.listed === undefined && earlier?.listed === undefined;
    if (isReturned && this.#returnedIds.has(returned) && earlier?.id !== exchange.id) {
      const known = [...(this.#shared.get(key) ?? []), ...(other === undefined ? [] : [other])];
      this.#shared.set(key, known.slice(-MOST_WITH_ID));
    }
    if (exchange.listed === undefined) this.#returnedIds.add(returned);
    keep(this.#origins, key, [...origins.filter((each) => each !== earlier), source], MOST_ITEMS);
  }

  /** Another creation than the given one that returned this id, if possible one at the same time. */
  otherCreation(id: string, created: Exchange): Exchange | undefined {
    const key = id.toLowerCase();
    const known = [...(this.#shared.get(key) ?? []), ...(this.#origins.get(key) ?? [])];
    const others = known.filter(
      (each) => each.id !== created.id && each.operation === created.operation && each.listed === undefined,
    );
    return others.find((each) => areTogether(each, created)) ?? others[0];
  }

  /** True where one of the exchanges creates or names an item whose id another creation returned too. */
  nameSharedId(exchanges: readonly Exchange[]): boolean {
    const isShared = (id: string): boolean => this.#shared.has(id);
    return (
      this.#shared.size > 0 &&
      exchanges.some((each) => idsInRequest(each).some(isShared) || idsCreatedBy(each).some(isShared))
    );
  }

  /** Drops the exchanges that created and changed an item that no test will use again. */
  forget(id: string): void {
    this.#origins.delete(id.toLowerCase());
    this.#changes.delete(id.toLowerCase());
    this.#updatedAt.delete(id.toLowerCase());
  }

  /** The successful requests that changed an item or something under it, in their order. */
  changesOf(id: string): readonly Exchange[] {
    return this.#changes.get(id.toLowerCase()) ?? [];
  }

  /**
   * Creations and updates in a collection before reading it failed, where that had succeeded: one of them may be the reason. The last
   * ones, and the last one of each kind.
   */
  beforeFailure({ id, operation }: Exchange): readonly Exchange[] {
    const failedAt = this.#failures.get(id);
    const latest = failedAt === undefined ? [] : this.latest.of(operation);
    const before = latest.filter(({ sentAt }) => sentAt < (failedAt ?? 0));
    const ofEachKind = new Map(before.map((each) => [filledBy(each), each])).values();
    const chosen = [...new Set([...ofEachKind, ...before.toReversed()])].slice(0, MOST_BEFORE_FAILURE);
    return before.filter((each) => chosen.includes(each));
  }

  /** An earlier creation of an item with the same name, and its deletion where that is known. */
  #withSameName(created: Exchange): readonly Exchange[] {
    const creations = this.latest.withSameName(created).map((each) => {
      const changes = this.changesOf(idsCreatedBy(each)[0] ?? '');
      const deletion = changes.find(({ request, sentAt }) => request.method === 'DELETE' && sentAt < created.sentAt);
      return deletion === undefined ? [each] : [each, deletion];
    });
    return creations.findLast(({ length }) => length > 1) ?? creations.at(-1) ?? [];
  }

  #noteInCollection(exchange: Exchange): void {
    if (exchange.request.method === 'GET') this.#failedAt.delete(exchange.request.url);
    if (/^(?:POST|PUT) /.test(exchange.operation)) this.latest.add(unparsed(exchange, LARGEST_CHANGE));
  }

  #noteSuccess(url: string): void {
    for (const each of [url, url.split('?', 1)[0] ?? '']) keep(this.#succeeded, each, true, MOST_URLS);
  }

  /** The first failure counts, since the next ones have the same reason. */
  #noteFailure({ id, request: { url }, sentAt, durationMs }: Exchange): void {
    if (!this.#succeeded.has(url)) return;
    const first = this.#failedAt.get(url) ?? sentAt + durationMs;
    this.#failedAt.set(url, first);
    keep(this.#failures, id, first, MOST_URLS);
  }

  #addChange(exchange: Exchange): void {
    const updated = /^(?:PUT|PATCH)$/.test(exchange.request.method) ? itemOf(exchange) : undefined;
    if (updated !== undefined)
      keep(this.#updatedAt, updated, this.#updatedAt.get(updated) ?? exchange.sentAt, MOST_ITEMS);
    if ((exchange.request.body?.byteLength ?? 0) > LARGEST_CHANGE) return;
    for (const [id] of (exchange.request.url.split('?', 1)[0] ?? '').matchAll(UUID)) {
      const changes = this.#changes.get(id.toLowerCase()) ?? [];
      changes.push(unparsed(exchange, LARGEST_CHANGE));
      if (changes.length > MOST_CHANGES) changes.splice(leastNeeded(changes), 1);
      keep(this.#changes, id.toLowerCase(), changes, MOST_ITEMS);
    }
  }
}

/** Position of the oldest change of the operation with most changes. */
function leastNeeded(changes: readonly Exchange[]): number {
  const count = ({ operation }: Exchange): number => changes.filter((each) => each.operation === operation).length;
  const most = Math.max(...changes.map(count));
  return changes.findIndex((each) => count(each) === most);
}

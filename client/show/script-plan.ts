import type { Contract, Exchange, Violation } from '../../spec/index.ts';
import { idsInRequest, idsInResponse } from './ids.ts';
import type { Origin } from './ids.ts';
import { withShortLists } from './short-lists.ts';

/** What a script is made from besides the violation. */
export interface ScriptSources {
  readonly contract: Contract;
  readonly labels?: ReadonlyMap<string, string> | undefined;
  /** The exchange that created the item with an id. */
  readonly origin?: Origin | undefined;
  /** A read that showed an id of something that the deployment made by itself. */
  readonly seen?: Origin | undefined;
  /** The successful requests that changed an item. */
  readonly changes?: ((id: string) => readonly Exchange[]) | undefined;
}

/** Longer scripts are left out: they would fill the log. */
export const MOST_REQUESTS = 60;
const MOST_ACTIONS = 4;

/** The requests in the order in which they have to be sent, with the ids that later ones need. */
class Plan {
  readonly order: Exchange[] = [];
  readonly captured = new Map<string, { readonly source: Exchange; readonly place: number }>();
  readonly #steps: readonly Exchange[];
  readonly #sources: ScriptSources;

  constructor(steps: readonly Exchange[], sources: ScriptSources) {
    this.#steps = steps;
    this.#sources = sources;
  }

  /** Adds what a step needs of what was there before the first step: a read that comes first shows it. */
  prepare(step: Exchange): void {
    const began = this.#steps[0]?.sentAt ?? 0;
    for (const id of this.#byAge(idsInRequest(step)))
      if ((this.#sources.origin?.(id)?.sentAt ?? began) < began) this.#provide(id, step);
  }

  /** Adds a request after all that it needs. */
  add(exchange: Exchange): void {
    if (this.order.some(({ id }) => id === exchange.id) || this.order.length >= MOST_REQUESTS) return;
    for (const id of this.#byAge(idsInRequest(exchange))) this.#provide(id, exchange);
    if (!this.order.some(({ id }) => id === exchange.id)) this.order.push(exchange);
  }

  /** What the run created first comes first: lists may show items in that order. */
  #byAge(ids: readonly string[]): readonly string[] {
    const ageOf = (id: string): number => this.#sources.origin?.(id)?.sentAt ?? Infinity;
    return ids.toSorted((a, b) => (ageOf(a) === ageOf(b) ? 0 : ageOf(a) - ageOf(b)));
  }

  #provide(id: string, user: Exchange): void {
    if (this.captured.has(id)) return;
    const source = this.#inTime(this.#sourceOf(id, user), user);
    if (source === undefined || source.id === user.id) return;
    const place = source.listed === undefined ? idsInResponse(source).indexOf(id) : 0;
    if (place < 0) return;
    this.captured.set(id, { source, place });
    this.add(source);
    this.#addChanges(id);
  }

  /** A later step that shows the id is sent once more before its user. */
  #inTime(source: Exchange | undefined, user: Exchange): Exchange | undefined {
    const at = this.#steps.findIndex((each) => each.id === source?.id);
    const isLater = at > this.#steps.findIndex((each) => each.id === user.id);
    if (source?.request.method !== 'GET' || !isLater || !this.#steps.some((each) => each.id === user.id)) return source;
    return { ...source, id: `${source.id}-before`, sentAt: user.sentAt - 1, durationMs: 0 };
  }

  /** What was read of an item may depend on all that was done with it; where the steps change it, only on what else was started. */
  #addChanges(id: string): void {
    const began = this.#steps[0]?.sentAt ?? 0;
    const own = new Set(this.#steps.map(({ operation }) => operation));
    const writes = this.#steps.some(({ request: { method } }) => method !== 'GET');
    const changes = (this.#sources.changes?.(id) ?? []).filter(({ sentAt }) => sentAt < began);
    const actions = changes.filter(({ operation, request: { method } }) => method === 'POST' && !own.has(operation));
    for (const change of writes ? actions.slice(-MOST_ACTIONS) : changes) this.add(change);
  }

  /** True for a read of something that the run made: other ids are the deployment's own and stay as they are. */
  #isOwn(read: Exchange): boolean {
    return idsInRequest(read).some((id) => this.#sources.origin?.(id) !== undefined);
  }

  #sourceOf(id: string, user: Exchange): Exchange | undefined {
    const { origin, seen } = this.#sources;
    const before = this.#steps.slice(
      0,
      Math.max(
        0,
        this.#steps.findIndex((each) => each.id === user.id),
      ),
    );
    const shows = (each: Exchange): boolean => idsInResponse(each).includes(id) && !idsInRequest(each).includes(id);
    const known = origin?.(id) ?? before.find((each) => each.request.method === 'POST' && shows(each));
    const reads = [seen?.(id), before.find(shows)];
    return known ?? reads.find((each) => each !== undefined && this.#isOwn(each) && !this.#wasSent(id, each));
  }

  /** True for an id that the run sent itself, in the creation of what the read shows. */
  #wasSent(id: string, read: Exchange): boolean {
    return idsInRequest(read).some((own) => {
      const creation = this.#sources.origin?.(own);
      return creation !== undefined && idsInRequest(creation).includes(id);
    });
  }
}

/** In the order in which they were sent, but a read that shows the violation comes last. */
function inOrder(exchanges: readonly Exchange[]): readonly Exchange[] {
  const last = exchanges.at(-1);
  const sorted = exchanges.toSorted((a, b) => a.sentAt - b.sentAt);
  return last?.request.method === 'GET' ? [...sorted.filter(({ id }) => id !== last.id), last] : sorted;
}

/** What has to be sent for the exchanges of a violation, in its order. */
export function planOf(
  { exchanges, setup = [] }: Pick<Violation, 'exchanges' | 'setup'>,
  sources: ScriptSources,
): Pick<Plan, 'order' | 'captured'> {
  const shown = withShortLists(inOrder(exchanges), sources.origin);
  const plan = new Plan(shown, sources);
  const [first] = setup;
  if (first !== undefined) plan.add(first);
  for (const each of shown) plan.prepare(each);
  for (const each of shown) plan.add(each);
  return plan;
}

/** Reads may be sent in any order: only changes have to be sent together. */
export function overlaps(before: Exchange, after: Exchange): boolean {
  const isChange = [before, after].some(({ request }) => request.method !== 'GET');
  return isChange && after.sentAt < before.sentAt + before.durationMs;
}

import { isUtf8 } from 'node:buffer';
import { isObject, pointerTokens, readPointer } from '../../spec/index.ts';
import type { Contract, Exchange, FindingScript, Operation, ScriptRequest, Violation } from '../../spec/index.ts';
import { idsIn, idsInRequest, idsInResponse, textOf } from './ids.ts';
import type { Origin } from './ids.ts';

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

/** Longer scripts and bodies are left out: they would fill the log. */
const MOST_REQUESTS = 60;
const MOST_ITEMS = 12;
const MOST_ACTIONS = 4;
const LONGEST_BODY = 256 * 1024;

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

  /** Adds a request after all that it needs. */
  add(exchange: Exchange): void {
    if (this.order.some(({ id }) => id === exchange.id) || this.order.length >= MOST_REQUESTS) return;
    for (const id of idsInRequest(exchange)) this.#provide(id, exchange);
    if (!this.order.some(({ id }) => id === exchange.id)) this.order.push(exchange);
  }

  #provide(id: string, user: Exchange): void {
    if (this.captured.has(id)) return;
    const source = this.#sourceOf(id, user);
    if (source === undefined || source.id === user.id) return;
    const place = idsInResponse(source).indexOf(id);
    if (place < 0) return;
    this.captured.set(id, { source, place });
    this.add(source);
    this.#addChanges(id);
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
    return known ?? [seen?.(id), before.find(shows)].find((each) => each !== undefined && this.#isOwn(each));
  }
}

/** The requests that show a violation, preceded by what they depend on; undefined where that is too much. */
export function toScript(
  { exchanges, setup = [], schemaPointer }: Violation,
  operation: Operation,
  sources: ScriptSources,
): FindingScript | undefined {
  const steps = exchanges.toSorted((a, b) => a.sentAt - b.sentAt);
  const shown = steps.map(withShortList);
  const plan = new Plan(shown, sources);
  const [first] = setup;
  if (first !== undefined) plan.add(first);
  for (const each of shown) plan.add(each);
  const { order, captured } = plan;
  if (order.length >= MOST_REQUESTS || order.some(({ request: { body } }) => (body?.byteLength ?? 0) > LONGEST_BODY))
    return undefined;
  const ownIds = new Set([
    ...captured.keys(),
    ...order.filter(({ request }) => request.method === 'POST').flatMap((each) => idsInResponse(each).slice(0, 1)),
  ]);
  const requests = order.map((each, index): ScriptRequest => {
    const captures = [...captured].flatMap(([id, { source, place }]) => (source.id === each.id ? [{ id, place }] : []));
    const before = order[index - 1];
    const step = exchanges.findIndex(({ id }) => id === each.id);
    const label = sources.labels?.get(each.id);
    return {
      ...(step < 0 ? {} : { step }),
      ...(label === undefined ? {} : { label }),
      ...requestOf(each),
      ...(step < 0 || each.response === undefined ? {} : { received: receivedBy(each, ownIds) }),
      ...(captures.length > 0 ? { captures } : {}),
      ...(isRemovable(each, sources.contract) ? { creates: true } : {}),
      ...(each.id === first?.id && setup.length > 1 ? { times: setup.length } : {}),
      ...(before !== undefined && step >= 0 && overlaps(before, each) ? { overlaps: true } : {}),
    };
  });
  const tag = tagIn(requests);
  const rule = ruleAt(schemaPointer, sources.contract);
  return {
    requests,
    ...(tag === undefined ? {} : { tag }),
    ...(rule === undefined ? {} : { rule }),
    statuses: operation.responses.map(({ status }) => status).filter((status) => /^[23]/.test(status)),
    mediaTypes: [
      ...new Set(
        operation.responses
          .filter(({ status }) => status.startsWith('2'))
          .flatMap(({ content }) => content.map(({ type }) => type)),
      ),
    ],
    defaults: defaultsOf(operation, sources.contract),
    version: sources.contract.version,
  };
}

/** A list of many items is cut: each of them has to be created first. */
function withShortList(exchange: Exchange): Exchange {
  const { body } = exchange.request;
  if (body === undefined || idsIn(textOf(body)).length <= MOST_ITEMS) return exchange;
  const list = parsed(textOf(body));
  if (!Array.isArray(list) || list.length <= MOST_ITEMS) return exchange;
  const short = Buffer.from(JSON.stringify(list.slice(0, MOST_ITEMS)));
  return { ...exchange, request: { ...exchange.request, body: short } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads may be sent in any order: only changes have to be sent together. */
function overlaps(before: Exchange, after: Exchange): boolean {
  const isChange = [before, after].some(({ request }) => request.method !== 'GET');
  return isChange && after.sentAt < before.sentAt + before.durationMs;
}

function requestOf({ request: { method, url, headers, body } }: Exchange): ScriptRequest {
  if (body === undefined) return { method, url, headers };
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isUtf8(bytes)
    ? { method, url, headers, body: bytes.toString('utf8') }
    : { method, url, headers, base64: bytes.toString('base64') };
}

function receivedBy(exchange: Exchange, own: ReadonlySet<string>): NonNullable<ScriptRequest['received']> {
  const ids = [...new Set(idsInResponse(exchange))].filter((id) => own.has(id));
  const { status = 0, json } = exchange.response ?? {};
  const lists = Array.isArray(json) ? [json] : Object.values(isObject(json) ? json : {}).filter(Array.isArray);
  return { status, ids, ...(lists.length === 1 ? { length: lists[0]?.length ?? 0 } : {}) };
}

/** True for a creation whose result the description allows to remove. */
function isRemovable({ operation, request, response }: Exchange, { operations }: Contract): boolean {
  if (request.method !== 'POST' || response === undefined || response.status >= 300) return false;
  const path = operation.replace(/^\S+ /, '');
  const rest = (each: Operation): string => (each.path.startsWith(`${path}/`) ? each.path.slice(path.length) : '');
  return operations.some((each) => each.method === 'DELETE' && /^\/\{[^{}/]+\}$/.test(rest(each)));
}

function defaultsOf({ parameters }: Operation, contract: Contract): Readonly<Record<string, number>> {
  const defaults = parameters.flatMap(({ name, in: place, schema }): [string, number][] => {
    const resolved = place !== 'query' || schema === undefined ? undefined : contract.resolve(schema).schema;
    const value = isObject(resolved) ? resolved['default'] : undefined;
    return typeof value === 'number' ? [[name, value]] : [];
  });
  return Object.fromEntries(defaults);
}

/** The part of names that belongs to the run, for example `49a87b03`. */
function tagIn(requests: readonly ScriptRequest[]): string | undefined {
  const texts = requests.map(({ url, body = '' }) => `${url} ${body}`).join(' ');
  return /assay-([0-9a-f]{8})\b/i.exec(texts)?.[1];
}

function ruleAt(pointer: string | undefined, { document }: Contract): FindingScript['rule'] {
  const keyword = pointerTokens(pointer ?? '').at(-1);
  const value = pointer === undefined ? undefined : readPointer(document, pointer);
  return keyword === undefined || value === undefined || pointer?.includes('schema') !== true
    ? undefined
    : { keyword, value };
}

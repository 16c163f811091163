import type { Exchange } from '../../spec/index.ts';
import { fitsLine, isWrittenOut, toCurl } from './curl.ts';
import type { CurlOptions } from './curl.ts';
import { idsIn, idsInRequest, idsInResponse, mayProvide, bodyText } from './ids.ts';
import { namesIn, variantsOf } from './setup.ts';
import { sleepFor } from './pause.ts';
import type { Origin } from './ids.ts';
import { captureId } from './pick-id.ts';
import type { ShellVariables } from './shell.ts';

/** The data of a line with set-up besides its last request. */
export interface SetupOptions extends CurlOptions {
  /** All steps of a finding, the last request among them. */
  readonly steps: readonly Exchange[];
  readonly origin: Origin;
  /** Requests that created the shown data, equal except for names. */
  readonly setup?: readonly Exchange[] | undefined;
  /** Also sends the request before the changes, so that a cache may store its response. */
  readonly readsFirst?: boolean;
  /** Seconds to wait before the request. */
  readonly pauseSeconds?: number | undefined;
}

const MOST_STEPS = 6;

function creates(exchange: Exchange, id: string, user: Exchange): boolean {
  const isNew = idsInResponse(exchange).includes(id) && !idsInRequest(exchange).includes(id);
  return exchange.request.method === 'POST' && isNew && mayProvide(exchange, id, user);
}

/** Adds the creations that a request depends on, in the order in which they have to be repeated. */
function gather(exchange: Exchange, origin: Origin, created: Map<string, Exchange>): void {
  for (const id of idsInRequest(exchange)) {
    const creation = created.has(id) ? undefined : origin(id, exchange);
    if (creation === undefined || creation.id === exchange.id) continue;
    gather(creation, origin, created);
    created.set(id, creation);
  }
}

function changesBefore(request: Exchange, steps: readonly Exchange[]): readonly Exchange[] {
  const end = Math.max(
    0,
    steps.findIndex(({ id }) => id === request.id),
  );
  return steps.slice(0, end).filter(({ request: { method } }) => method !== 'GET');
}

/** Earlier reads of the same operation, which the request may contradict. */
function readsBefore(request: Exchange, steps: readonly Exchange[]): readonly Exchange[] {
  return steps.filter(({ id, operation, request: { method } }) => {
    return id !== request.id && method === 'GET' && request.request.method === 'GET' && operation === request.operation;
  });
}

/** Repeats a request with new names in no particular order. */
function repeated(
  [first, times]: readonly [Exchange, number],
  line: (exchange: Exchange, names: ShellVariables) => string,
): string {
  const names = namesIn(first);
  const variables = new Map(names.map((name, index) => [name.toLowerCase(), `name${index + 1}`]));
  const given = names.map((name, index) => `name${index + 1}=${name}-$((n * 7 % 10))$n; `).join('');
  return `for n in $(seq ${times}); do ${given}${line(first, variables)}; done`;
}

/** True if the line contains the complete request, with ids that can be replaced. */
function isComplete(exchange: Exchange, created: ReadonlyMap<string, Exchange>): boolean {
  if (isWrittenOut(exchange)) return true;
  return fitsLine(exchange) && !idsIn(bodyText(exchange.request.body)).some((id) => created.has(id));
}

/** True if the path refers to a created item and a part of it that a new item would not have. */
function namesUnknownPart({ request: { url } }: Exchange, created: ReadonlyMap<string, Exchange>): boolean {
  const ids = idsIn(url.split('?', 1)[0] ?? '');
  return ids.some((id) => created.has(id)) && ids.some((id) => !created.has(id));
}

/** A shell line for after the run: it creates removed items again and repeats changes. Undefined if that takes too many steps. */
export function toCurlWithSetup(
  request: Exchange,
  { steps, origin, setup = [], readsFirst = false, pauseSeconds, ...options }: SetupOptions,
): string | undefined {
  const created = new Map<string, Exchange>();
  const from: Origin = (id, user = request) => origin(id, user) ?? steps.find((each) => creates(each, id, user));
  gather(request, from, created);
  const changesAndCreations = changesBefore(request, steps);
  const variants = variantsOf(setup);
  const firsts = variants.map(([first]) => first);
  for (const each of [...changesAndCreations, ...firsts]) gather(each, from, created);
  const creations = new Set([...created.values()].map(({ id }) => id));
  const changes = changesAndCreations.filter(({ id }) => !creations.has(id));
  const before = [...created.values(), ...changes];
  if (before.length >= MOST_STEPS || namesUnknownPart(request, created)) return undefined;
  const shown = [...readsBefore(request, steps).slice(-MOST_STEPS), request];
  // Where it was read before the first change, a cache may have kept the answer.
  const began = changes[0]?.sentAt ?? 0;
  const isEarly = (each: Exchange): boolean => each.sentAt < began;
  const early = shown.filter(isEarly);
  const isRead = early.some(({ request: { url } }) => url === request.request.url);
  if (![...before, ...firsts, ...shown].every((each) => isComplete(each, created))) return undefined;
  const variables = new Map([...created.keys()].map((id, index) => [id, `id${index + 1}`]));
  const line = (exchange: Exchange, output?: 'body' | 'none', names: ShellVariables = new Map()): string =>
    toCurl(exchange, {
      ...options,
      variables: new Map([...variables, ...names]),
      ...(output === undefined ? {} : { output }),
    });
  return [
    ...[...created].flatMap(([id, exchange]) => captureId(exchange, id, variables.get(id) ?? '', line)),
    ...early.map((exchange) => line(exchange)),
    ...(readsFirst && !isRead && changes.length > 0 ? [line(request, 'none')] : []),
    // The status of a refusal is a part of the evidence.
    ...changes.map((exchange) => {
      const text = line(exchange, (exchange.response?.status ?? 0) < 400 ? 'none' : undefined);
      return exchange.response === undefined ? `{ ${text} || true; }` : text;
    }),
    ...variants.map((each) => repeated(each, (exchange, names) => line(exchange, 'none', names))),
    ...shown
      .filter((each) => !isEarly(each))
      .flatMap((exchange) => [...(exchange === request ? sleepFor(pauseSeconds) : []), line(exchange)]),
  ].join(' && ');
}

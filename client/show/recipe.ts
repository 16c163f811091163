import type { Exchange } from '../../spec/index.ts';
import { fitsLine, isWrittenOut, toCurl } from './curl.ts';
import type { CurlOptions } from './curl.ts';
import { expandInWords } from './shell.ts';

/** Tells which exchange created the item of an id (lower case); undefined where this run created none. */
export type Origin = (id: string) => Exchange | undefined;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Longer recipes are not worth pasting. */
const MOST_STEPS = 6;

/** What a recipe is made of besides its last request. */
export interface RecipeOptions extends CurlOptions {
  /** All steps of a finding, the last request among them. */
  readonly steps: readonly Exchange[];
  readonly origin: Origin;
}

/**
 * A request as one line for a POSIX shell that works after the run too: what it works on, which the run removed, is made anew
 * first, and the steps before it that change something are done again. Undefined where not all of it can be told in a few steps.
 */
export function toRecipe(request: Exchange, { steps, origin, ...options }: RecipeOptions): string | undefined {
  const made = new Map<string, Exchange>();
  const from: Origin = (id) => origin(id) ?? steps.find((each) => creates(each, id));
  gather(request, from, made);
  const between = steps
    .slice(
      0,
      Math.max(
        0,
        steps.findIndex(({ id }) => id === request.id),
      ),
    )
    .filter((each) => each.request.method !== 'GET' && ![...made.values()].some(({ id }) => id === each.id));
  for (const each of between) gather(each, from, made);
  const chain = [...made.values(), ...between];
  if (
    chain.length >= MOST_STEPS ||
    ![...chain, request].every((each) => isTold(each, made)) ||
    namesUnknown(request, made)
  )
    return undefined;
  const names = new Map([...made.keys()].map((id, index) => [id, `id${index + 1}`]));
  const filled = (line: string): string => [...names].reduce((text, [id, name]) => expandInWords(text, id, name), line);
  return [
    ...[...made].map(
      ([id, exchange]) =>
        `${names.get(id) ?? ''}=$(${filled(toCurl(exchange, { ...options, output: 'body' }))} | ${pick(exchange, id)})`,
    ),
    ...between.map((exchange) => filled(toCurl(exchange, { ...options, output: 'none' }))),
    filled(toCurl(request, options)),
  ].join(' && ');
}

/** True where the whole request stands in its line, with ids that can be filled in. */
function isTold(exchange: Exchange, made: ReadonlyMap<string, Exchange>): boolean {
  const { body } = exchange.request;
  return isWrittenOut(exchange) || (fitsLine(exchange) && !idsIn(bodyOf(body)).some((id) => made.has(id)));
}

function creates(exchange: Exchange, id: string): boolean {
  return exchange.request.method === 'POST' && answered(exchange).includes(id) && !idsIn(textOf(exchange)).includes(id);
}

/** The ids in an answer, in their order. */
function answered({ response }: Exchange): readonly string[] {
  return idsIn(Buffer.from(response?.body ?? []).toString());
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(UUID)].map(([id]) => id.toLowerCase());
}

function textOf({ request: { url, body } }: Exchange): string {
  return `${url} ${bodyOf(body)}`;
}

function bodyOf(body: Uint8Array | undefined): string {
  return body === undefined ? '' : Buffer.from(body).toString();
}

/** What a request needs comes before it. */
function gather(exchange: Exchange, origin: Origin, made: Map<string, Exchange>): void {
  for (const id of idsIn(textOf(exchange))) {
    const creation = made.has(id) ? undefined : origin(id);
    if (creation === undefined || creation.id === exchange.id) continue;
    gather(creation, origin, made);
    made.set(id, creation);
  }
}

/** True where the path names an item of this run and something of it that a new one would not have. */
function namesUnknown({ request: { url } }: Exchange, made: ReadonlyMap<string, Exchange>): boolean {
  const ids = idsIn(url.split('?', 1)[0] ?? '');
  return ids.some((id) => made.has(id)) && ids.some((id) => !made.has(id));
}

/** The id in the answer of a creation, wherever it stands there. */
function pick(creation: Exchange, id: string): string {
  const place = answered(creation).indexOf(id) + 1;
  return `grep -Eio '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}' | sed -n ${Math.max(1, place)}p`;
}

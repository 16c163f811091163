import type { Exchange } from '../../spec/index.ts';
import { isShortId } from '../../spec/short-id.ts';

/** The exchange that created the item with an id (lower case), if there is one; for the exchange that uses the id. */
export type Origin = (id: string, user?: Exchange) => Exchange | undefined;

/** A read whose response contains an id that the deployment generated; if possible of what the exchange that uses it is about. */
export type Seen = (id: string, user: Exchange) => Exchange | undefined;

/** Uuids, and numbers that are long enough to be ids or offsets. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b\d{16,19}\b/gi;

const NIL = '00000000-0000-0000-0000-000000000000';

/** Ids of created items that do not look like ids, such as `cus_8Fk2` and `194`; in lower case. */
const OTHER_IDS = new Set<string>();

/** Makes an id of a created item known, so that it is found in requests and responses whatever it looks like. */
export function noteId(id: string): void {
  if (idsIn(id).length === 0) OTHER_IDS.add(id.toLowerCase());
}

/** The ids in a text, in lower case, in their order. */
export function idsIn(text: string): readonly string[] {
  const found = [...text.matchAll(ID)];
  const words = OTHER_IDS.size === 0 ? [] : [...text.matchAll(/[a-z0-9][\w.~-]*/gi)];
  const others = words.filter(([word]) => !isShortId(word) && OTHER_IDS.has(word.toLowerCase()));
  return [...found, ...others]
    .toSorted((a, b) => a.index - b.index)
    .map(([id]) => id.toLowerCase())
    .filter((id) => id !== NIL);
}

/** Short ids of created items among some words. */
function shortIdsOf(words: readonly string[]): readonly string[] {
  return words.map((word) => word.toLowerCase()).filter((word) => isShortId(word) && OTHER_IDS.has(word));
}

export function bodyText(body: Uint8Array | undefined): string {
  return body === undefined ? '' : Buffer.from(body).toString();
}

/** The ids in a request or response that were known when there were so many {@link OTHER_IDS}. */
interface Found {
  readonly ids: readonly string[];
  readonly known: number;
}

const FOUND = new WeakMap<object, Found>();

/** The ids of a request or response, which are asked for often and may lie in a long body. */
function remembered(of: object, find: () => readonly string[]): readonly string[] {
  const before = FOUND.get(of);
  if (before?.known === OTHER_IDS.size) return before.ids;
  const ids = find();
  FOUND.set(of, { ids, known: OTHER_IDS.size });
  return ids;
}

/** The ids in the URL and the body of a request. */
export function idsInRequest({ request }: Exchange): readonly string[] {
  return remembered(request, () => {
    const path = request.url.split('?', 1)[0] ?? '';
    return [...shortIdsOf(path.split('/')), ...idsIn(`${request.url} ${bodyText(request.body)}`)];
  });
}

/** The id of what a creation made, if it returned one. */
export function idsCreatedBy(exchange: Exchange): readonly string[] {
  return exchange.request.method === 'POST' ? idsInResponse(exchange).slice(0, 1) : [];
}

/** The id at the end of the path of a request; undefined where there is none. */
export function itemOf({ request: { url } }: Exchange): string | undefined {
  return idsIn(url.split('?', 1)[0]?.split('/').at(-1) ?? '')[0];
}

/** The path of an operation's collection, with the names of parameters left out, and its last word. */
function collectionOf(segments: readonly string[]): { readonly path: string; readonly name: string } {
  const words = segments.map((each) => (each.startsWith('{') ? '{}' : each.toLowerCase()));
  return { path: words.join('/'), name: words.findLast((each) => each !== '{}') ?? '' };
}

/** How well the source of an id fits its use in a path: 2 for the same collection, 1 for the same name or no path, 0 for another. */
export function fitOf(source: Exchange, id: string, user: Exchange): 0 | 1 | 2 {
  const words = (user.request.url.split('?', 1)[0] ?? '').toLowerCase().split('/');
  const template = user.operation.split('/').slice(1);
  const used = template.flatMap((each, at) =>
    each.startsWith('{') && words.at(at - template.length) === id ? [collectionOf(template.slice(0, at))] : [],
  );
  const made = collectionOf(source.operation.split('/').slice(1));
  if (used.some(({ path }) => path === made.path)) return 2;
  return used.length === 0 || used.some(({ name }) => name === made.name) ? 1 : 0;
}

/** False where an id is one of another collection: short ids and numbers are unique in their own collection only. */
export function mayProvide(source: Exchange, id: string, user: Exchange): boolean {
  const isUnique = !isShortId(id) && !/^\d{1,15}$/.test(id);
  return isUnique || fitOf(source, id, user) > 0;
}

export function idsInResponse({ response }: Exchange): readonly string[] {
  return response === undefined ? [] : remembered(response, () => idsInBody(bodyText(response.body)));
}

function idsInBody(text: string): readonly string[] {
  if (OTHER_IDS.size === 0) return idsIn(text);
  const members = [...text.matchAll(/"(?:\w*id|number|key|name)"\s*:\s*"?([^",}\s]+)/gi)].map(
    ([, value = '']) => value,
  );
  return [...idsIn(text), ...shortIdsOf(members)];
}

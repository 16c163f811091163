import { escapeRegExp, shellQuoted } from '../../spec/escape.ts';
import { isObject, parsedJson } from '../../spec/index.ts';
import type { CapturedId, Exchange } from '../../spec/index.ts';
import { bodyText, idsIn } from './ids.ts';

/** The read of the list that contains a created item; undefined if the response to the creation contains the id. */
function listingOf({ listed, ...creation }: Exchange): Exchange | undefined {
  if (listed === undefined) return undefined;
  const { 'content-type': _type, 'content-length': _length, ...headers } = creation.request.headers;
  return { ...creation, request: { method: 'GET', url: listed.url, headers } };
}

/** A uuid, for grep -E and for regular expressions. */
export const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** The member that has an id, and its place among the members with that name. */
function memberWith(text: string, id: string): { readonly member: string; readonly place: number } | undefined {
  const own = new RegExp(String.raw`"(\w+)"\s*:\s*"?${escapeRegExp(id)}"?[,}\s]`, 'i');
  const [, member] = own.exec(text) ?? [];
  if (member === undefined) return undefined;
  const values = [...text.matchAll(new RegExp(String.raw`"${member}"\s*:\s*"?([^",}\s]+)`, 'g'))];
  const place = Math.max(
    0,
    values.findIndex(([, value = '']) => value.toLowerCase() === id),
  );
  return { member, place };
}

/** A filter that prints an id (lower case) from the response that shows it: from standard input, or from a file. */
export function pickId({ response, listed }: Exchange, id: string, file?: string): string {
  if (!new RegExp(`^${UUID}$`).test(id)) {
    const { member, place } = memberWith(bodyText(response?.body), id) ?? { member: 'id', place: 0 };
    const filter = `grep -Eo '"${member}" *: *"?[^",}]+'`;
    const value = String.raw`sed -E 's/^[^:]*: *"?//'`;
    const name = listed === undefined ? '' : `tr '\\n{' ' \\n' | grep -F ${shellQuoted(listed.name)} | `;
    return `${name}${filter}${file === undefined ? '' : ` ${file}`} | sed -n ${listed === undefined ? place + 1 : 1}p | ${value}`;
  }
  // Objects, also nested ones, start on their own lines and have one each, so an item is the line with its name.
  if (listed !== undefined)
    return `tr '\\n{' ' \\n' | grep -F ${shellQuoted(listed.name)} | grep -Eio '${UUID}' | sed -n 1p`;
  const ids = [...bodyText(response?.body).toLowerCase().matchAll(new RegExp(UUID, 'g'))].map(([each]) => each);
  const from = file === undefined ? '' : ` ${file}`;
  return `grep -Eio '${UUID}'${from} | sed -n ${Math.max(0, ids.indexOf(id)) + 1}p`;
}

/** The place of a member in the output of its filter, for `sed` and `tail`: lists of another run may be shorter. */
function placeInList(source: Exchange, member: RegExp, place: number, rank: number): string {
  const text = bodyText(source.response?.body);
  const length = itemsIn(parsedJson(text))?.length ?? 0;
  const count = [...text.matchAll(member)].length;
  const each = count / length;
  if (length < 2 || !Number.isInteger(each)) return `sed -n ${place + 1}p`;
  const [at, offset] = [Math.floor(place / each), place % each];
  if (at === length - 1) return `tail -n ${each - offset} | sed -n 1p`;
  return `sed -n ${Math.min(at, rank) * each + offset + 1}p`;
}

/**
 * The item of a list that has an id (lower case) as a member, if possible one that the query names; in the second half, its position is
 * from the end. Undefined where the response is no list.
 */
export function itemWith(id: string, { request, response }: Exchange): CapturedId['item'] {
  const items = request.method === 'GET' ? (itemsIn(parsedJson(bodyText(response?.body))) ?? []) : [];
  const memberIn = (item: unknown, isId: (value: string) => boolean): readonly [string, string] | undefined =>
    Object.entries(isObject(item) ? item : {})
      .map(([name, value]) => [name, typeof value === 'string' ? value.toLowerCase() : ''] as const)
      .find(([, value]) => isId(value));
  const queried = idsIn(request.url.split('?')[1] ?? '');
  const found = items.flatMap((item, at) => {
    const [member] = memberIn(item, (value) => value === id) ?? [];
    if (member === undefined) return [];
    const [owner, ownerId] = memberIn(item, (value) => value !== id && queried.includes(value)) ?? [];
    const place = { at: at > items.length / 2 ? at - items.length : at, member };
    return owner === undefined || ownerId === undefined ? place : { ...place, of: { member: owner, id: ownerId } };
  });
  return found.find((each) => 'of' in each) ?? found[0];
}

/** The items of a list, with or without a wrapper. */
function itemsIn(json: unknown): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json;
  return isObject(json) && !Object.hasOwn(json, 'id') ? Object.values(json).find(Array.isArray) : undefined;
}

/** Prints an id (lower case) from the file with a list: the first, last or one between; ids of the list are ranked from 0. */
export function pickListed(source: Exchange, id: string, file: string, rank: number): string {
  const found = new RegExp(`^${UUID}$`).test(id) ? memberWith(bodyText(source.response?.body), id) : undefined;
  if (found === undefined) return pickId(source, id, file);
  const { member, place } = found;
  const values = new RegExp(String.raw`"${member}"\s*:\s*"${UUID}"`, 'gi');
  const pick = placeInList(source, values, place, rank);
  return `grep -Eio '"${member}" *: *"${UUID}"' ${file} | ${pick} | grep -Eio '${UUID}'`;
}

/**
 * The commands that send a creation and store the id of the created item in a variable. A list that has the id is read until it shows
 * the item: it may show it late.
 */
export function captureId(
  creation: Exchange,
  id: string,
  variable: string,
  curl: (exchange: Exchange, output: 'body' | 'none') => string,
): readonly string[] {
  const listing = listingOf(creation);
  const pick = `${variable}=$(${curl(listing ?? creation, 'body')} | ${pickId(creation, id)})`;
  if (listing === undefined) return [pick];
  return [curl(creation, 'none'), `for n in $(seq 30); do ${pick}; [ "$${variable}" ] && break; sleep 1; done`];
}

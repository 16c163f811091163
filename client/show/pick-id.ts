import type { Exchange } from '../../spec/index.ts';
import { textOf } from './ids.ts';

/** The read of the list that contains a created item; undefined if the response to the creation contains the id. */
function listingOf({ listed, ...creation }: Exchange): Exchange | undefined {
  if (listed === undefined) return undefined;
  const { 'content-type': _type, 'content-length': _length, ...headers } = creation.request.headers;
  return { ...creation, request: { method: 'GET', url: listed.url, headers } };
}

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Prints the value of a member with an id that is no uuid. */
function pickMember(text: string, id: string): { readonly filter: string; readonly place: number } {
  const own = new RegExp(
    String.raw`"(\w+)"\s*:\s*"?${id.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}"?[,}\s]`,
    'i',
  );
  const [, member = 'id'] = own.exec(text) ?? [];
  const values = [...text.matchAll(new RegExp(String.raw`"${member}"\s*:\s*"?([^",}\s]+)`, 'g'))];
  const place = Math.max(
    0,
    values.findIndex(([, value = '']) => value.toLowerCase() === id),
  );
  return { filter: `grep -Eo '"${member}" *: *"?[^",}]+'`, place };
}

/** A filter that prints an id (lower case) from the response that shows it: from standard input, or from a file. */
export function pickId({ response, listed }: Exchange, id: string, file?: string): string {
  if (!new RegExp(`^${UUID}$`).test(id) && !/^\d{16,}$/.test(id)) {
    const { filter, place } = pickMember(textOf(response?.body), id);
    const value = String.raw`sed -E 's/^[^:]*: *"?//'`;
    const name = listed === undefined ? '' : `tr '{' '\\n' | grep -F '${listed.name}' | `;
    return `${name}${filter}${file === undefined ? '' : ` ${file}`} | sed -n ${listed === undefined ? place + 1 : 1}p | ${value}`;
  }
  // Nested objects start on their own line, so an item is the line with its name.
  if (listed !== undefined) return `tr '{' '\\n' | grep -F '${listed.name}' | grep -Eio '${UUID}' | sed -n 1p`;
  const ids = [...textOf(response?.body).toLowerCase().matchAll(new RegExp(UUID, 'g'))].map(([each]) => each);
  const from = file === undefined ? '' : ` ${file}`;
  return `grep -Eio '${UUID}'${from} | sed -n ${Math.max(0, ids.indexOf(id)) + 1}p`;
}

/** The commands that send a creation and store the id of the created item in a variable. */
export function captureId(
  creation: Exchange,
  id: string,
  variable: string,
  curl: (exchange: Exchange, output: 'body' | 'none') => string,
): readonly string[] {
  const listing = listingOf(creation);
  const pick = `${variable}=$(${curl(listing ?? creation, 'body')} | ${pickId(creation, id)})`;
  return listing === undefined ? [pick] : [curl(creation, 'none'), pick];
}

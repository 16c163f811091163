import type { Exchange } from '../../spec/index.ts';
import { textOf } from './ids.ts';

/** The read of the list that contains a created item; undefined if the response to the creation contains the id. */
function listingOf({ listed, ...creation }: Exchange): Exchange | undefined {
  if (listed === undefined) return undefined;
  const { 'content-type': _type, 'content-length': _length, ...headers } = creation.request.headers;
  return { ...creation, request: { method: 'GET', url: listed.url, headers } };
}

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** A filter that prints an id (lower case) from the response that shows it: from standard input, or from a file. */
export function pickId({ response, listed }: Exchange, id: string, file?: string): string {
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

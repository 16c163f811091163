import type { Exchange } from '../../spec/index.ts';

/** The first exchange whose response contains an id (lower case), if there is one. */
export type Origin = (id: string) => Exchange | undefined;

/** A read whose response contains an id that the deployment generated; if possible one of an item with one of the other ids. */
export type Seen = (id: string, others: readonly string[]) => Exchange | undefined;

/** Uuids, and numbers that are long enough to be ids or offsets. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b\d{16,19}\b/gi;

const NIL = '00000000-0000-0000-0000-000000000000';

/** The ids in a text, in lower case, in their order. */
export function idsIn(text: string): readonly string[] {
  return [...text.matchAll(ID)].map(([id]) => id.toLowerCase()).filter((id) => id !== NIL);
}

/** A body as text; empty for none. */
export function textOf(body: Uint8Array | undefined): string {
  return body === undefined ? '' : Buffer.from(body).toString();
}

/** The ids in the URL and the body of a request. */
export function idsInRequest({ request: { url, body } }: Exchange): readonly string[] {
  return idsIn(`${url} ${textOf(body)}`);
}

/** The ids in the body of a response. */
export function idsInResponse({ response }: Exchange): readonly string[] {
  return idsIn(textOf(response?.body));
}

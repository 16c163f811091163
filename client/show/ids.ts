import { groupBy } from '../../spec/group-by.ts';
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

export function textOf(body: Uint8Array | undefined): string {
  return body === undefined ? '' : Buffer.from(body).toString();
}

export function idsInRequest({ request: { url, body } }: Exchange): readonly string[] {
  return idsIn(`${url} ${textOf(body)}`);
}

export function idsInResponse({ response }: Exchange): readonly string[] {
  return idsIn(textOf(response?.body));
}

/** Most kinds of creations with which a script fills a list. */
const MOST_VARIANTS = 3;

/** Requests of a set-up that differ only in names and numbers, by the first of each kind; kinds differ in the members that are empty. */
export function variantsOf(setup: readonly Exchange[]): readonly (readonly [first: Exchange, times: number])[] {
  const kinds = [...groupBy(setup, ({ request: { body } }) => emptyMembers(textOf(body))).values()];
  const isShown = kinds.length <= MOST_VARIANTS;
  return (isShown ? kinds : [setup]).flatMap(([first, ...more]) =>
    first === undefined ? [] : [[first, more.length + 1] as const],
  );
}

function emptyMembers(text: string): string {
  return [...text.matchAll(/"([^"\\]+)":(?:null|"")/g)].map(([, name = '']) => name).join();
}

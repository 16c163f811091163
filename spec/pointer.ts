import { isObject } from './json.ts';
import { decodePercent } from './serialise/encode.ts';
import type { Json } from './json.ts';

/** Escapes one token of a JSON pointer (RFC 6901). */
export function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

/** Unescapes one token of a JSON pointer. */
function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Appends tokens to a JSON pointer. */
export function pointerTo(base: string, ...tokens: readonly (string | number)[]): string {
  return tokens.reduce<string>((pointer, token) => `${pointer}/${escapeToken(String(token))}`, base);
}

/** The tokens of a JSON pointer, unescaped. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescapeToken);
}

function step(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** The value at a JSON pointer; undefined if there is none. */
export function readPointer(document: Json | undefined, pointer: string): Json | undefined {
  return pointerTokens(pointer).reduce<Json | undefined>(step, document);
}

/** The longest prefix of a pointer that exists in the document. */
export function existingPointer(document: Json, pointer: string): string {
  let value: Json | undefined = document;
  let found = '';
  for (const token of pointerTokens(pointer)) {
    value = step(value, token);
    if (value === undefined) return found;
    found = pointerTo(found, token);
  }
  return found;
}

/** The pointer of a `$ref` into the same document. */
export function pointerOfRef(ref: string): string {
  return decodePercent(ref.slice(1));
}

/** A pointer as a `$ref`: a percent-encoded fragment. */
export function pointerFragment(pointer: string): string {
  return `#${pointer
    .split('/')
    .map((token) => encodeURIComponent(token))
    .join('/')}`;
}

import { isObject } from './json.ts';
import type { Json } from './json.ts';

/** One step of a JSON pointer, escaped (RFC 6901). */
export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Appends steps to a JSON pointer. */
export function pointerTo(base: string, ...tokens: readonly (string | number)[]): string {
  return tokens.reduce<string>((pointer, token) => `${pointer}/${escapeToken(String(token))}`, base);
}

/** Steps of a JSON pointer, unescaped. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function step(value: Json | undefined, token: string): Json | undefined {
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

/** The value that a JSON pointer names; undefined where there is none. */
export function readPointer(document: Json, pointer: string): Json | undefined {
  return pointerTokens(pointer).reduce<Json | undefined>(step, document);
}

/** The longest beginning of a pointer that names something in the document. */
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

/** A pointer as the fragment of a `$ref`, encoded so that every resolver finds it. */
export function pointerFragment(pointer: string): string {
  return `#${pointer
    .split('/')
    .map((token) => encodeURIComponent(token))
    .join('/')}`;
}

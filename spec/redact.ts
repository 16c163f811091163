import { createSearch, inBase64 } from './secret-search.ts';

/** Replaces secrets by names, in any encoding. */
export interface Redactor {
  text(text: string): string;
  /** Returns the same bytes if they contain no secret. */
  bytes(bytes: Uint8Array): Uint8Array;
}

/** Shorter secrets would match ordinary words: they are replaced after `Bearer ` only. */
const SHORTEST = 6;

/** A short secret of letters only may be part of other words, and the word of a path: there it is not replaced. */
const WORD = /^[a-z]{1,11}$/i;

/** Header names and values repeat, so the results of short texts are cached. */
const CACHED_LENGTH = 100;
const CACHED_TEXTS = 1000;

const NAMED: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

const quote = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

/** A line break within a secret. */
const BREAK = String.raw`(?:=?(?:\s|\\{1,8}[rn]){1,9})?`;

/** A character: plain, percent-encoded (repeatedly), escaped as in JSON or JavaScript, or as a character reference. Repetitions are bounded, so that no response makes the search slow. */
function spellings(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const named = NAMED[character];
  return `(?:${[
    quote(character),
    `%(?:25){0,4}${hex}`,
    String.raw`\\{1,8}(?:u00${hex}|u\{0{0,4}${hex}\}|x${hex}|${quote(character)})`,
    `&(?:amp;){0,4}#(?:x0{0,4}${hex}|0{0,4}${code});`,
    ...(named === undefined ? [] : [`&(?:amp;){0,4}${named};`]),
  ].join('|')})`;
}

function patternOf(secret: string): string {
  if (secret.length < SHORTEST) return `(?<=bearer )${quote(secret)}(?![\\w.~+/-])`;
  const base64 = inBase64(secret).map(
    (text) =>
      String.raw`${Array.from(text, (each) => (each === '+' ? '(?:[+-]|%2B)' : each === '/' ? String.raw`(?:\\?/|_|%2F)` : each)).join('')}[\w+/-]?(?:=|%3D){0,2}`,
  );
  const hex = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join('[ :-]?');
  const plain = Array.from(secret, spellings).join(BREAK);
  return [WORD.test(secret) ? String.raw`(?<![\w/])${plain}(?!\w)` : plain, ...base64, hex].join('|');
}

/** Creates a redactor for secrets, each with its name. */
export function createRedactor(secrets: ReadonlyMap<string, string>): Redactor {
  const known = [...secrets].filter(([secret]) => secret !== '').sort(([a], [b]) => b.length - a.length);
  if (known.length === 0) return { text: (text) => text, bytes: (bytes) => bytes };
  const pattern = new RegExp(known.map(([secret]) => `(${patternOf(secret)})`).join('|'), 'gi');
  const mayContain = createSearch(known.map(([secret]) => secret));
  const nameOf = (_whole: string, ...groups: readonly unknown[]): string =>
    known[groups.findIndex((each) => each !== undefined)]?.[1] ?? '';
  const redacted = (value: string): string => value.replace(pattern, nameOf);
  const cache = new Map<string, string>();
  const searched = (value: string): string => (mayContain(Buffer.from(value)) ? redacted(value) : value);
  const text = (value: string): string => {
    if (value.length > CACHED_LENGTH) return searched(value);
    const known = cache.get(value);
    if (known !== undefined) return known;
    const result = searched(value);
    if (cache.size === CACHED_TEXTS) cache.clear();
    cache.set(value, result);
    return result;
  };
  const bytes = (value: Uint8Array): Uint8Array => {
    if (!mayContain(value)) return value;
    const before = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
    const after = redacted(before);
    return after === before ? value : Buffer.from(after, 'latin1');
  };
  return { text, bytes };
}

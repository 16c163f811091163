/** Replaces secrets by names, in any encoding. */
export interface Redactor {
  text(text: string): string;
  /** Returns the same bytes if they contain no secret. */
  bytes(bytes: Uint8Array): Uint8Array;
}

/** Shorter secrets would match ordinary words: they are replaced after `Bearer ` only. */
const SHORTEST = 6;

/** Larger bodies are searched only if they contain a part of a secret. */
const SEARCHED_WHOLE = 64 * 1024;

/** Header names and values repeat: the results of short texts are kept. */
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

/** The base64 characters that depend on the secret only, for each of the three alignments. */
function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    return whole.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
  });
}

function patternOf(secret: string): string {
  if (secret.length < SHORTEST) return `(?<=bearer )${quote(secret)}(?![\\w.~+/-])`;
  const base64 = inBase64(secret).map(
    (text) =>
      String.raw`${Array.from(text, (each) => (each === '+' ? '(?:[+-]|%2B)' : each === '/' ? String.raw`(?:\\?/|_|%2F)` : each)).join('')}[\w+/-]?(?:=|%3D){0,2}`,
  );
  const hex = [...Buffer.from(secret)].map((byte) => byte.toString(16).padStart(2, '0')).join('[ :-]?');
  return [Array.from(secret, spellings).join(BREAK), ...base64, hex].join('|');
}

/** A text with a secret in any encoding contains one of these. */
function needlesOf(secret: string): readonly Buffer[] {
  const hex = Buffer.from(secret).toString('hex');
  const base64 = inBase64(secret).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
  return [secret, secret.toLowerCase(), secret.toUpperCase(), hex, hex.toUpperCase(), ...base64, '\\', '%', '&#'].map(
    (text) => Buffer.from(text),
  );
}

/** Creates a redactor for secrets, each with its name. */
export function createRedactor(secrets: ReadonlyMap<string, string>): Redactor {
  const known = [...secrets].filter(([secret]) => secret !== '').sort(([a], [b]) => b.length - a.length);
  if (known.length === 0) return { text: (text) => text, bytes: (bytes) => bytes };
  const pattern = new RegExp(known.map(([secret]) => `(${patternOf(secret)})`).join('|'), 'gi');
  const needles = known.flatMap(([secret]) => needlesOf(secret));
  const nameOf = (_whole: string, ...groups: readonly unknown[]): string =>
    known[groups.findIndex((each) => each !== undefined)]?.[1] ?? '';
  const redacted = (value: string): string => value.replace(pattern, nameOf);
  const cache = new Map<string, string>();
  const text = (value: string): string => {
    if (value.length > CACHED_LENGTH) return redacted(value);
    const known = cache.get(value);
    if (known !== undefined) return known;
    const result = redacted(value);
    if (cache.size === CACHED_TEXTS) cache.clear();
    cache.set(value, result);
    return result;
  };
  const bytes = (value: Uint8Array): Uint8Array => {
    const buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (buffer.length > SEARCHED_WHOLE && !needles.some((needle) => buffer.includes(needle))) return value;
    const before = buffer.toString('latin1');
    const after = redacted(before);
    return after === before ? value : Buffer.from(after, 'latin1');
  };
  return { text, bytes };
}

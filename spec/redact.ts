/** Puts names in the place of secrets, however they are spelt. */
export interface Redactor {
  text(text: string): string;
  /** The same bytes where there is nothing to hide. */
  bytes(bytes: Uint8Array): Uint8Array;
}

/** A shorter secret would blacken every word: it is looked for after `Bearer ` only. */
const SHORTEST = 6;

/** Bodies up to this size are searched whole; longer ones only where something in them can be a secret. */
const SEARCHED_WHOLE = 64 * 1024;

const NAMED: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

const quote = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

/** Where a line may have been broken within a secret. */
const BREAK = String.raw`(?:=?(?:\s|\\{1,8}[rn]){1,9})?`;

/** Bounded throughout, so that nothing a target sends makes the search slow. A character as it is, percent-encoded (more than once even), escaped as in JSON or JavaScript, or as a character reference. */
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

/** What of a secret shows in base64 whatever stands before it: the characters that hold nothing else, for each of three alignments. */
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

/** What one of must stand in a text that holds a secret in any spelling. */
function needlesOf(secret: string): readonly Buffer[] {
  const hex = Buffer.from(secret).toString('hex');
  const base64 = inBase64(secret).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
  return [secret, secret.toLowerCase(), secret.toUpperCase(), hex, hex.toUpperCase(), ...base64, '\\', '%', '&#'].map(
    (text) => Buffer.from(text),
  );
}

/** A redactor for secrets, each with the name that stands for it. */
export function createRedactor(secrets: ReadonlyMap<string, string>): Redactor {
  const known = [...secrets].filter(([secret]) => secret !== '').sort(([a], [b]) => b.length - a.length);
  if (known.length === 0) return { text: (text) => text, bytes: (bytes) => bytes };
  const pattern = new RegExp(known.map(([secret]) => `(${patternOf(secret)})`).join('|'), 'gi');
  const needles = known.flatMap(([secret]) => needlesOf(secret));
  const nameOf = (_whole: string, ...groups: readonly unknown[]): string =>
    known[groups.findIndex((each) => each !== undefined)]?.[1] ?? '';
  const text = (value: string): string => value.replace(pattern, nameOf);
  const bytes = (value: Uint8Array): Uint8Array => {
    const buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (buffer.length > SEARCHED_WHOLE && !needles.some((needle) => buffer.includes(needle))) return value;
    const before = buffer.toString('latin1');
    const after = text(before);
    return after === before ? value : Buffer.from(after, 'latin1');
  };
  return { text, bytes };
}

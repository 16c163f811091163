/** Secrets shorter than this are searched for everywhere. */
const SHORTEST = 16;

/** Characters at the start of a secret that a preceding escape could include. */
const SKIPPED = 4;

/** Minimum length of a searched part. */
const LEAST = 5;

/** An escape, and the two hexadecimal or the decimal digits of the character that it represents. */
const ESCAPE = /(?:%(?:25)*|\\+(?:u00|u\{0*|x)|&(?:amp;)*#x0*)([0-9a-f]{2})[};]?|&(?:amp;)*#0*([0-9]{2,3});/iy;

/** Longer than any escape that a redactor knows. */
const LONGEST_ESCAPE = 32;

const [BACKSLASH, PERCENT, AMPERSAND] = [0x5c, 0x25, 0x26];
const isEscape = (code: number): boolean => code === BACKSLASH || code === PERCENT || code === AMPERSAND;
const hasEscape = (bytes: Uint8Array): boolean =>
  bytes.includes(BACKSLASH) || bytes.includes(PERCENT) || bytes.includes(AMPERSAND);

/** The bytes with the characters that escapes represent in place of them. */
function unescaped(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] ?? 0;
    if (!isEscape(code)) {
      plain[length] = code;
      length += 1;
      continue;
    }
    const next = String.fromCharCode(bytes[at + 1] ?? 0).toLowerCase();
    ESCAPE.lastIndex = 0;
    const found =
      code === BACKSLASH && !'\\ux'.includes(next)
        ? null
        : ESCAPE.exec(text.toString('latin1', at, at + LONGEST_ESCAPE));
    if (found !== null) {
      const [whole, hex = '', decimal] = found;
      plain[length] = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      length += 1;
      at += whole.length - 1;
    } else if (code === BACKSLASH && (next === 'r' || next === 'n')) at += 1;
    else if (code !== BACKSLASH) {
      plain[length] = code;
      length += 1;
    }
  }
  return plain.subarray(0, length);
}

/** The base64 characters that depend on the secret only, for each of the three alignments. */
export function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    return whole.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
  });
}

/** The longest run of characters of a pattern; empty if it is too short. */
function longestRun(text: string, pattern: RegExp): string {
  const [longest = ''] = (text.match(pattern) ?? []).toSorted((a, b) => b.length - a.length);
  return longest.length < LEAST ? '' : longest;
}

/** Parts of a secret, each in lower case: every text with the secret in one of its encodings contains one of them, or an empty one. */
function partsOf(secret: string): readonly string[] {
  if (secret.length < SHORTEST) return [''];
  const lower = secret.toLowerCase();
  // Without r and n, which may be escaped line breaks, and without u and x, which start other escapes.
  const plain = longestRun(lower.slice(SKIPPED).replaceAll(/[ux].{0,4}/g, ' '), /[0-9a-mo-qstvwyz]+/g);
  const hex = Buffer.from(secret).toString('hex');
  return [plain, hex, ...inBase64(secret).map((text) => longestRun(text.toLowerCase(), /[0-9a-z]+/g))];
}

/** The last five characters of a text as a number: each character moves those before it by four bits. */
const TAIL_BITS = 20;
const TAIL_MASK = (1 << TAIL_BITS) - 1;

/** Code of a byte for the search: 0 for separators and for what is not ASCII, letters in lower case. */
const COUNTED = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  return code > 127 || /[\s=:-]/.test(character) ? 0 : character.toLowerCase().charCodeAt(0);
});
const countedOf = (code: number): number => COUNTED[code] ?? 0;

const tailAfter = (tail: number, counted: number): number => ((tail << 4) + counted) & TAIL_MASK;

/** Whether the bytes up to a position end with a part, ignoring separators. */
function endsWith(bytes: Uint8Array, end: number, part: string): boolean {
  let left = part.length;
  for (let at = end; at >= 0 && left > 0; at -= 1) {
    const counted = countedOf(bytes[at] ?? 0);
    if (counted === 0) continue;
    left -= 1;
    if (counted !== part.charCodeAt(left)) return false;
  }
  return left === 0;
}

/** Whether a text contains one of the parts, ignoring separators; takes one pass over its bytes. */
function partSearch(parts: readonly string[]): (bytes: Uint8Array) => boolean {
  const tails = new Uint8Array(1 << TAIL_BITS);
  for (const part of parts) tails[Array.from(part, (each) => countedOf(each.charCodeAt(0))).reduce(tailAfter, 0)] = 1;
  const holdsAt = (bytes: Uint8Array, end: number): boolean => parts.some((part) => endsWith(bytes, end, part));
  return (bytes) => {
    let tail = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const counted = countedOf(bytes[at] ?? 0);
      if (counted === 0) continue;
      tail = tailAfter(tail, counted);
      if (tails[tail] === 1 && holdsAt(bytes, at)) return true;
    }
    return false;
  };
}

/**
 * A fast test whether a text in UTF-8 or Latin 1 may contain one of the secrets in any encoding that a redactor knows: true for
 * every text that does, and for few others. Takes time proportional to the length of the text.
 */
export function createSearch(secrets: readonly string[]): (text: Uint8Array) => boolean {
  const parts = [...new Set(secrets.flatMap(partsOf))];
  if (parts.includes('')) return () => true;
  const holdsPart = partSearch(parts);
  return (text) => holdsPart(text) || (hasEscape(text) && holdsPart(unescaped(text)));
}

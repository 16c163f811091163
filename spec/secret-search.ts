/** Secrets shorter than this are searched for everywhere. */
const SHORTEST = 16;

/** Characters at the start of a secret that a preceding escape could include. */
const SKIPPED = 4;

/** Minimum length of a searched part. */
const LEAST = 5;

/** Characters of a line break within a secret, or of a separator within its hexadecimal form. */
const SEPARATORS = /[\s=:-]+/g;

/** An escape, and the character that it represents. */
const ESCAPES =
  /%(?:25)*([0-9a-f]{2})|\\+(?:u00([0-9a-f]{2})|u\{0*([0-9a-f]{2})\}|x([0-9a-f]{2})|([^]))|&(?:amp;)*#x0*([0-9a-f]{2});|&(?:amp;)*#0*([0-9]{2,3});/g;

const fromHex = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16)).toLowerCase();

function spelled(
  _whole: string,
  percent?: string,
  unicode?: string,
  braced?: string,
  hex?: string,
  plain?: string,
  reference?: string,
  decimal?: string,
): string {
  if (plain !== undefined) return plain === 'r' || plain === 'n' ? '' : plain;
  if (decimal !== undefined) return String.fromCharCode(Number(decimal)).toLowerCase();
  return fromHex(percent ?? unicode ?? braced ?? hex ?? reference ?? '');
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

/** Code of an ASCII character for the search: 0 for a separator, letters in lower case. */
const COUNTED = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return /[\s=:-]/.test(character) ? 0 : character.toLowerCase().charCodeAt(0);
});
const countedOf = (code: number): number => (code < 128 ? (COUNTED[code] ?? 0) : 0);

/** Whether a text contains the last five characters of a part, ignoring separators; takes one pass. */
function tailSearch(parts: readonly string[]): (text: string) => boolean {
  const tails = new Uint8Array(1 << TAIL_BITS);
  const after = (tail: number, counted: number): number => ((tail << 4) + counted) & TAIL_MASK;
  for (const part of parts) tails[Array.from(part, (each) => countedOf(each.charCodeAt(0))).reduce(after, 0)] = 1;
  return (text) => {
    let tail = 0;
    for (let at = 0; at < text.length; at += 1) {
      const counted = countedOf(text.charCodeAt(at));
      if (counted === 0) continue;
      tail = after(tail, counted);
      if (tails[tail] === 1) return true;
    }
    return false;
  };
}

/**
 * A fast test whether a text may contain one of the secrets in any encoding that a redactor knows: true for every text that does,
 * and for few others. Takes time proportional to the length of the text.
 */
export function createSearch(secrets: readonly string[]): (text: string) => boolean {
  const parts = [...new Set(secrets.flatMap(partsOf))];
  if (parts.includes('')) return () => true;
  const hasTail = tailSearch(parts);
  const holdsPart = (text: string): boolean => {
    if (!hasTail(text)) return false;
    const joined = text.toLowerCase().replaceAll(SEPARATORS, '');
    return parts.some((part) => joined.includes(part));
  };
  return (text) =>
    holdsPart(text) || (/[%\\&]/.test(text) && holdsPart(text.toLowerCase().replaceAll(ESCAPES, spelled)));
}

/** Secrets shorter than this are searched for everywhere. */
const SHORTEST = 16;

/** Characters at the start of a secret that an escape before it could swallow. */
const SKIPPED = 4;

/** Fewest characters that are worth searching for. */
const LEAST = 5;

/** What a line break within a secret, or a separator within its hexadecimal form, may consist of. */
const SEPARATORS = /[\s=:-]+/g;

/** An escape, and the character that it spells. */
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

/** The longest run of characters of a pattern; empty where it is too short. */
function longestRun(text: string, pattern: RegExp): string {
  const [longest = ''] = (text.match(pattern) ?? []).toSorted((a, b) => b.length - a.length);
  return longest.length < LEAST ? '' : longest;
}

/** Parts of a secret, each in lower case: every text with the secret in one of its encodings contains one of them, or an empty one. */
function partsOf(secret: string): readonly string[] {
  if (secret.length < SHORTEST) return [''];
  const lower = secret.toLowerCase();
  // Neither r nor n, since an escaped one may be a line break, nor u and x with what they would swallow as other escapes.
  const plain = longestRun(lower.slice(SKIPPED).replaceAll(/[ux].{0,4}/g, ' '), /[0-9a-mo-qstvwyz]+/g);
  const hex = Buffer.from(secret).toString('hex');
  return [plain, hex, ...inBase64(secret).map((text) => longestRun(text.toLowerCase(), /[0-9a-z]+/g))];
}

/**
 * A fast test whether a text may contain one of the secrets, in any encoding that a redactor knows: true for each text that
 * does, and for hardly any other. It takes time in proportion to the length of the text, whatever the text is.
 */
export function createSearch(secrets: readonly string[]): (text: string) => boolean {
  const parts = [...new Set(secrets.flatMap(partsOf))];
  if (parts.includes('')) return () => true;
  const found = (text: string): boolean => parts.some((part) => text.includes(part));
  return (text) => {
    const lower = text.toLowerCase();
    const joined = lower.replaceAll(SEPARATORS, '');
    return (
      found(joined) || (/[%\\&]/.test(joined) && found(lower.replaceAll(ESCAPES, spelled).replaceAll(SEPARATORS, '')))
    );
  };
}

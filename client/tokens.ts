import { AssayError, createRedactor, EXIT } from '../spec/index.ts';
import type { Identity, Redactor } from '../spec/index.ts';

/** The API tokens of a target, as the user gave them. */
export interface Tokens {
  readonly full?: string;
  readonly limited?: string;
  readonly expired?: string;
}

/** Where a token comes from, and the variable whose name replaces it in all output. */
export const TOKEN_NAMES = {
  full: { option: '--token', variable: 'ASSAY_TOKEN' },
  limited: { option: '--limited-token', variable: 'ASSAY_LIMITED_TOKEN' },
  expired: { option: '--expired-token', variable: 'ASSAY_EXPIRED_TOKEN' },
} as const satisfies Partial<Record<Identity, { option: string; variable: string }>>;

export type TokenName = keyof typeof TOKEN_NAMES;

const TOKEN_KEYS: readonly TokenName[] = ['full', 'limited', 'expired'];

/** What the identity `invalid` sends; no deployment ever issued it. */
export const INVALID_TOKEN = 'assay-made-this-token-up';

function clean(name: TokenName, given: string): string {
  let token = given.trim();
  const quoted = /^(["'])(.*)\1$/.exec(token);
  if (quoted) token = (quoted[2] ?? '').trim();
  token = token.replace(/^(authorization:\s*)?bearer\s+/i, '');
  const { option, variable } = TOKEN_NAMES[name];
  if (/^[\x21-\x7e]*$/.test(token)) return token;
  throw new AssayError(
    `The token of ${option} / ${variable} contains a space, a line break or a non-ASCII character.`,
    { hint: 'Copy the token again, in one piece, without quotes and without "Bearer".', exitCode: EXIT.unreachable },
  );
}

/** Removes what is often copied along with a token: surrounding space, quotes, `Bearer `. Empty tokens count as not given. */
export function cleanTokens(given: Tokens): Tokens {
  const cleaned = TOKEN_KEYS.flatMap((name) => {
    const value = clean(name, given[name] ?? '');
    return value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(cleaned);
}

const PLACEHOLDER = /\$ASSAY_(?:LIMITED_|EXPIRED_)?TOKEN\b/g;

/** Replaces the names of variables by the tokens; the result may only go on the wire. */
export function fillIn(text: string, tokens: Tokens): string {
  if (!text.includes('$ASSAY_')) return text;
  return text.replace(PLACEHOLDER, (match) => {
    const name = TOKEN_KEYS.find((key) => match === `$${TOKEN_NAMES[key].variable}`);
    return (name && tokens[name]) ?? match;
  });
}

/** Replaces the tokens of a target by the names of their variables. */
export function redactorOf(tokens: Tokens): Redactor {
  const named = TOKEN_KEYS.flatMap((name) => {
    const token = tokens[name];
    return token === undefined ? [] : [[token, `$${TOKEN_NAMES[name].variable}`] as const];
  });
  return createRedactor(new Map(named));
}

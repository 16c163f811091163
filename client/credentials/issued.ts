import { isObject, parsedJson } from '../../spec/json.ts';
import type { JsonObject } from '../../spec/json.ts';

/** A token as issued. Times are milliseconds since the epoch. */
export interface IssuedToken {
  readonly value: string;
  readonly issuedAt: number;
  /** Undefined if the expiry is not known. */
  readonly endsAt?: number;
}

/** Removes text that is often copied with a token: surrounding space, quotes, `Bearer `. */
export function bareToken(given: string): string {
  const token = given.trim();
  const quoted = /^(["'])(.*)\1$/su.exec(token);
  return (quoted ? (quoted[2] ?? '').trim() : token).replace(/^(authorization:\s*)?bearer\s+/iu, '');
}

/** True if the text is allowed in an Authorization header. */
export function isTokenText(token: string): boolean {
  return /^[\x21-\x7e]+$/u.test(token);
}

/** A token that expires at the given time, or else at its `exp` if it is a JWT. */
export function issued(value: string, endsAt: number | undefined): IssuedToken {
  const end = endsAt ?? jwtEnd(value);
  return { value, issuedAt: Date.now(), ...(end === undefined ? {} : { endsAt: end }) };
}

function jwtEnd(token: string): number | undefined {
  const [, claims, signature] = token.split('.');
  if (claims === undefined || signature === undefined) return undefined;
  const parsed = parsedJson(Buffer.from(claims, 'base64url'));
  return isObject(parsed) && typeof parsed['exp'] === 'number' ? parsed['exp'] * 1_000 : undefined;
}

const TOKEN_MEMBERS = ['token', 'access_token', 'accessToken'] as const;
const END_MEMBERS = ['expiresAt', 'expirationTimestamp', 'expires_on', 'expiresOn'] as const;
const LIFETIME_MEMBERS = ['expires_in', 'expiresIn'] as const;

/** Seconds since the epoch, or a date. */
function momentOf(value: unknown): number | undefined {
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/u.test(value))) return Number(value) * 1_000;
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

function endOf(body: JsonObject): number | undefined {
  const moments = END_MEMBERS.map((name) => momentOf(body[name]));
  const lifetimes = LIFETIME_MEMBERS.map((name) => Number(body[name] ?? Number.NaN)).filter((each) => each > 0);
  return moments.find((each) => each !== undefined) ?? lifetimes.map((seconds) => Date.now() + seconds * 1_000)[0];
}

/**
 * Parses the output of a command or the content of a file: the token itself, or JSON with `token` (also `access_token`,
 * `accessToken`) and its expiry: `expiresAt` (also `expirationTimestamp`, `expires_on`, `expiresOn`) or `expires_in` in
 * seconds. The members may be inside `status`, as in an ExecCredential of kubectl. Undefined if there is no token.
 */
export function parseToken(output: string): IssuedToken | undefined {
  const text = output.trim();
  if (!text.startsWith('{')) return tokenIn(text, undefined);
  try {
    const json: unknown = JSON.parse(text);
    const body = isObject(json) && isObject(json['status']) ? json['status'] : json;
    if (!isObject(body)) return undefined;
    const value = TOKEN_MEMBERS.map((name) => body[name]).find((each) => typeof each === 'string');
    return tokenIn(typeof value === 'string' ? value : '', endOf(body));
  } catch {
    return undefined;
  }
}

function tokenIn(text: string, endsAt: number | undefined): IssuedToken | undefined {
  const value = bareToken(text);
  return isTokenText(value) ? issued(value, endsAt) : undefined;
}

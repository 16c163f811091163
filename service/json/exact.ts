import { randomBytes } from 'node:crypto';

/**
 * Numbers that a double cannot hold travel through the service as strings with this mark, which no client can guess,
 * and leave it again digit by digit as they came.
 */
const MARK = `\u0000exact-${randomBytes(9).toString('hex')}:`;
const WRITTEN = new RegExp(`"${JSON.stringify(MARK).slice(1, -1).replaceAll('\\', '\\\\')}([^"]*)"`, 'g');

/** Wraps the digits of a JSON number. */
export function exactNumber(digits: string): string {
  return MARK + digits;
}

/** True for what {@link exactNumber} made: a number, although it looks like a string. */
export function isExactNumber(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(MARK);
}

/** `JSON.stringify` that writes exact numbers as numbers. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u0000exact-') ? text.replace(WRITTEN, '$1') : text;
}

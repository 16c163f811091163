import { randomBytes } from 'node:crypto';

/**
 * Numbers that a double cannot represent are kept as strings with this mark, which no client can guess, and written digit by digit.
 */
const MARK = `\u0000exact-${randomBytes(9).toString('hex')}:`;
const WRITTEN = new RegExp(`"${JSON.stringify(MARK).slice(1, -1).replaceAll('\\', '\\\\')}([^"]*)"`, 'g');

/** Marks the digits of a JSON number. */
export function exactNumber(digits: string): string {
  return MARK + digits;
}

/** True for the result of {@link exactNumber}. */
export function isExactNumber(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(MARK);
}

/** `JSON.stringify` that writes exact numbers as numbers. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u0000exact-') ? text.replace(WRITTEN, '$1') : text;
}

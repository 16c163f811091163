import { randomBytes } from 'node:crypto';

/** Marks a number, kept as a string and written digit by digit, that a double cannot represent; no client can guess the mark. */
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

import { HIDDEN, unicodeEscapes } from '../../spec/escape.ts';

/** All but the line feed. */
const ESCAPED = new RegExp(`(?!\\n)${HIDDEN.source}`, 'gu');

/**
 * Text from a target, safe to print: control characters, bidi controls, zero-width characters and lone surrogates
 * are escaped as `\u001b`. Line feeds stay; {@link visibleLine} escapes them too.
 */
export function visible(text: string): string {
  return text.replace(ESCAPED, (found) => (found === '\t' ? '  ' : unicodeEscapes(found)));
}

/** {@link visible}, on one line: line feeds become `\n`. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n');
}

/** Fewer characters than this are not left out: the note would be as long. */
const LEAST_LEFT_OUT = 24;

/** Cuts to about `limit` characters, never within a surrogate pair, and appends how many are left out. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit + LEAST_LEFT_OUT) return text;
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

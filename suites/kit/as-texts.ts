import { unicodeEscapes } from '../../spec/escape.ts';
import type { Json } from '../../spec/index.ts';

/** Longest text of a value in a message. */
const LONGEST = 200;

/** Characters before the first difference of two long texts. */
const BEFORE = 60;

/**
 * Two values for a message, what was expected and what was received. Long texts are cut around their first difference, and tell their
 * length; texts that only look alike, such as composed and decomposed letters, are written with escapes.
 */
export function asTexts(expected: Json | undefined, received: Json | undefined): readonly [string, string] {
  const [one, other] = [expected, received].map((value) => JSON.stringify(value) ?? 'nothing') as [string, string];
  const looksAlike = one !== other && one.normalize('NFKC') === other.normalize('NFKC');
  const [a, b] = looksAlike
    ? ([one, other].map((text) => text.replaceAll(/[^\0-\u007f]+/g, unicodeEscapes)) as [string, string])
    : [one, other];
  let first = 0;
  while (first < Math.min(a.length, b.length) && a[first] === b[first]) first += 1;
  const from = first > LONGEST - BEFORE ? first - BEFORE : 0;
  return [cut(a, from, lengthOf(expected, one)), cut(b, from, lengthOf(received, other))];
}

/** Of a text without its quotes. */
const lengthOf = (value: Json | undefined, text: string): number =>
  typeof value === 'string' ? value.length : text.length;

function cut(text: string, from: number, length: number): string {
  if (text.length <= LONGEST) return text;
  const end = from + LONGEST;
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''} (${length} characters)`;
}

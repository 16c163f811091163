import { isObject } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { characterCost, isSimpler } from './weight.ts';

const CANONICAL: readonly (readonly [RegExp, string])[] = [
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, '00000000-0000-0000-0000-000000000000'],
  [/^\d{4}-\d\d-\d\d[Tt ]/, '1970-01-01T00:00:00Z'],
  [/^\d{4}-\d\d-\d\d$/, '1970-01-01'],
];
const SIMPLE_CHARACTERS: readonly string[] = ['a', 'A', '0', '\u00E9', '\u{1F600}'];

/** Simpler texts, the largest simplification first. They may be invalid. */
export function* simplerTexts(text: string): Iterable<string> {
  if (text === '') return;
  const letters = Array.from(text);
  yield '';
  for (const [pattern, simple] of CANONICAL) if (simple !== text && pattern.test(text)) yield simple;
  yield* onlyPlain(letters);
  for (let gap = letters.length >> 1; gap >= 1; gap >>= 1) yield letters.slice(0, letters.length - gap).join('');
  for (const [from, to] of cuts(letters.length)) {
    if (from > 0 || to < letters.length) yield [...letters.slice(0, from), ...letters.slice(to)].join('');
  }
  yield* simplerCharacters(letters);
}

function* onlyPlain(letters: readonly string[]): Iterable<string> {
  const cost = letters.reduce((sum, letter) => sum + characterCost(letter), 0);
  if (cost > 0) yield 'a'.repeat(letters.length);
}

function* simplerCharacters(letters: readonly string[]): Iterable<string> {
  if (letters.length > 200) return;
  for (const [index, letter] of letters.entries()) {
    const cost = characterCost(letter);
    for (const simple of SIMPLE_CHARACTERS) {
      if (characterCost(simple) < cost)
        yield [...letters.slice(0, index), simple, ...letters.slice(index + 1)].join('');
    }
  }
}

/** Simplifies a text that occurs several times everywhere at once, because the equality may matter. */
export function* simplerEqualTexts(value: Json): Iterable<() => Json> {
  const counts = new Map<string, number>();
  countTexts(value, counts);
  for (const [text, count] of counts) {
    if (count < 2) continue;
    for (const simple of simplerTexts(text)) {
      if (isSimpler(simple, text)) yield () => replaceText(value, text, simple);
    }
  }
}

function countTexts(value: Json, counts: Map<string, number>): void {
  if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) countTexts(part, counts);
}

function replaceText(value: Json, from: string, to: string): Json {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((item: Json) => replaceText(item, from, to));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaceText(member, from, to)]));
}

/** Ranges of items to remove: all, halves, quarters … down to single items (in long lists down to 1/32). */
export function* cuts(length: number): Iterable<readonly [from: number, to: number]> {
  const finest = length > 64 ? Math.ceil(length / 32) : 1;
  for (let size = length; size >= finest; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < length; from += size) yield [from, Math.min(length, from + size)];
    if (size === 0) return;
  }
}

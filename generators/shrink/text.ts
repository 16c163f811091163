import { chunks } from './chunks.ts';
import { characterCost } from './weight.ts';

const CANONICAL: readonly (readonly [RegExp, string])[] = [
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, '00000000-0000-0000-0000-000000000000'],
  [/^\d{4}-\d\d-\d\d[Tt ]/, '1970-01-01T00:00:00Z'],
  [/^\d{4}-\d\d-\d\d$/, '1970-01-01'],
];
const STAND_INS: readonly string[] = ['a', 'A', '0', '\u00E9', '\u{1F600}'];

/** Simpler texts, boldest first. They may be unfit for the schema: who uses them judges. */
export function* simplerTexts(text: string): Iterable<string> {
  if (text === '') return;
  const letters = Array.from(text);
  yield '';
  for (const [pattern, simple] of CANONICAL) if (simple !== text && pattern.test(text)) yield simple;
  yield* plainer(letters);
  for (let gap = letters.length >> 1; gap >= 1; gap >>= 1) yield letters.slice(0, letters.length - gap).join('');
  for (const [from, to] of chunks(letters.length)) {
    if (from > 0 || to < letters.length) yield [...letters.slice(0, from), ...letters.slice(to)].join('');
  }
  yield* standIns(letters);
}

function* plainer(letters: readonly string[]): Iterable<string> {
  const cost = letters.reduce((sum, letter) => sum + characterCost(letter), 0);
  if (cost > 0) yield 'a'.repeat(letters.length);
}

function* standIns(letters: readonly string[]): Iterable<string> {
  if (letters.length > 200) return;
  for (const [index, letter] of letters.entries()) {
    const cost = characterCost(letter);
    for (const standIn of STAND_INS) {
      if (characterCost(standIn) < cost)
        yield [...letters.slice(0, index), standIn, ...letters.slice(index + 1)].join('');
    }
  }
}

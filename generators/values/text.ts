import type { Draw } from '../core/draw.ts';
import type { Prng } from '../core/prng.ts';
import { ALPHABETS, FIRST_LENGTHS, FIRST_TEXTS, MORE_LENGTHS, MORE_TEXTS, PLAIN_WORDS } from './strings.ts';

/** Bounds of a text, in code points. */
export interface TextBounds {
  readonly min: number;
  readonly max: number;
}

/** A text, the length of a text, or null for a random text. */
type Interest = string | number | null;

const FIRST: readonly Interest[] = [...FIRST_TEXTS, ...FIRST_LENGTHS];
const LATER: readonly Interest[] = [
  ...FIRST_TEXTS,
  ...FIRST_TEXTS,
  ...FIRST_TEXTS,
  ...MORE_TEXTS,
  ...FIRST_LENGTHS,
  ...MORE_LENGTHS,
  ...MORE_LENGTHS,
  ...Array.from({ length: 50 }, () => null),
];
const ALPHABET_LETTERS = ALPHABETS.map((alphabet) => Array.from(alphabet));
const MAX_LENGTH = 20_001;
const PLAIN_FILL = 'abcdefghij'.repeat(MAX_LENGTH / 10 + 1);
const ACCENTED_FILL = '\u00E0\u00E9\u00EE\u00F5\u00FC'.repeat(MAX_LENGTH / 5 + 1);
const ASTRAL_FILL = '\u{1F600}\u{1F680}\u{1F44D}'.repeat(MAX_LENGTH / 3 + 1);

/** Generates texts within bounds, plain or adversarial depending on the draw. Created once per field. */
export function textGenerator(bounds: TextBounds, salt: number): (draw: Draw) => string {
  const edges = edgesOf(bounds);
  const first = [...edges, ...FIRST.filter((interest) => allows(interest, bounds))];
  const later = [...edges, ...edges, ...LATER.filter((interest) => allows(interest, bounds))];
  return (draw) => {
    const repeated = draw.repeated();
    if (repeated !== undefined && fits(repeated, bounds)) return repeated;
    const interest = draw.interesting(first, salt, later);
    return draw.remember(
      interest === undefined || isTooLong(draw, interest, bounds)
        ? plain(draw, bounds)
        : textOf(draw.random, interest, bounds),
    );
  };
}

function edgesOf({ min, max }: TextBounds): readonly number[] {
  if (max === Infinity && min <= 1) return [];
  const lengths = [max, max - 1, min, min + 1].filter(
    (length) => length >= Math.max(1, min) && length <= Math.min(max, MAX_LENGTH),
  );
  return [...new Set(lengths)];
}

function allows(interest: Interest, bounds: TextBounds): boolean {
  if (interest === null) return true;
  return typeof interest === 'number' ? interest >= bounds.min && interest <= bounds.max : fits(interest, bounds);
}

function isTooLong(draw: Draw, interest: Interest, bounds: TextBounds): boolean {
  if (typeof interest !== 'number' || interest < 300) return false;
  draw.characters -= interest;
  return draw.characters + interest <= 0 && bounds.min < 300;
}

function textOf(random: Prng, interest: Interest, bounds: TextBounds): string {
  if (typeof interest === 'number') return fill(random, interest);
  return interest ?? randomText(random, bounds);
}

function fill(random: Prng, length: number): string {
  const style = random.real();
  if (style < 0.7) return PLAIN_FILL.slice(0, length);
  return style < 0.85 ? ACCENTED_FILL.slice(0, length) : ASTRAL_FILL.slice(0, 2 * length);
}

function randomText(random: Prng, bounds: TextBounds): string {
  const length = random.int(bounds.min, Math.min(bounds.max, bounds.min + random.pick([1, 3, 8, 20, 60])));
  const one = random.pick(ALPHABET_LETTERS);
  const mixed = random.chance(0.5);
  return Array.from({ length }, () => random.pick(mixed ? random.pick(ALPHABET_LETTERS) : one)).join('');
}

function plain(draw: Draw, bounds: TextBounds): string {
  const { random, profile } = draw;
  if (profile.optional === 0) return 'a'.repeat(bounds.min);
  const word = random.pick(PLAIN_WORDS);
  const text = random.chance(0.5) ? word : `${word} ${random.int(1, 999)}`;
  if (text.length > bounds.max) return text.slice(0, bounds.max);
  return text.length >= bounds.min ? text : text.padEnd(bounds.min, 'a');
}

/** True if the length in code points is within the bounds. */
export function fits(text: string, bounds: TextBounds): boolean {
  if (text.length < bounds.min) return false;
  if (text.length <= bounds.max && bounds.min <= 1) return true;
  const length = codePoints(text);
  return length >= bounds.min && length <= bounds.max;
}

/** Length in code points, which is how JSON Schema counts. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit < 0xdc00) count -= 1;
  }
  return count;
}

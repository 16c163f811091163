import type { Json } from '../../../spec/index.ts';
import type { Draw } from '../../core/draw.ts';
import { setProperty } from '../../core/set-property.ts';
import { INTERESTING_KEYS, PLAIN_KEYS } from '../../values/keys.ts';
import { INTERESTING_INTEGERS, INTERESTING_REALS } from '../../values/numbers.ts';
import { textGenerator } from '../../values/text.ts';
import type { ValueGenerator } from './value-generator.ts';

/** Generates any JSON, for schemas without constraints. */
export function anyJsonGenerator(salt: number): ValueGenerator {
  const text = textGenerator({ min: 0, max: Infinity }, salt);
  return { generate: (draw) => (draw.profile.optional === 0 ? null : anything(draw, text, 3)), simplest: () => null };
}

/** Generates any object. */
export function anyObject(draw: Draw, depth: number): Json {
  return objectOf(draw, textGenerator({ min: 0, max: Infinity }, 0), depth);
}

type Text = (draw: Draw) => string;

function anything(draw: Draw, text: Text, depth: number): Json {
  draw.budget -= 1;
  const { random } = draw;
  const kind = random.int(0, depth > 0 && draw.budget > 0 ? 7 : 5);
  if (kind <= 1) return text(draw);
  if (kind === 2) return random.pick(INTERESTING_INTEGERS);
  if (kind === 3) return random.chance(0.5) ? random.pick(INTERESTING_REALS) : random.int(-1000, 1000);
  if (kind === 4) return random.chance(0.5);
  if (kind === 5) return null;
  if (kind === 6) return Array.from({ length: random.int(0, 4) }, () => anything(draw, text, depth - 1));
  return objectOf(draw, text, depth - 1);
}

function objectOf(draw: Draw, text: Text, depth: number): Json {
  const result: Record<string, Json> = {};
  const size = draw.random.int(0, 4);
  for (let index = 0; index < size; index += 1) {
    const keys = draw.random.chance(draw.profile.odd / 2) ? INTERESTING_KEYS : PLAIN_KEYS;
    setProperty(result, draw.random.pick(keys), anything(draw, text, depth));
  }
  return result;
}

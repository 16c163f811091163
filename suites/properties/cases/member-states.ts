import { isObject } from '../../../spec/index.ts';
import type { Json } from '../../../spec/index.ts';
import { replaced } from './spots.ts';
import type { Path } from './spots.ts';

/** A small generator of numbers, the same for the same seed (mulberry32). */
export function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** Combinations of what each member of an object can be: as it is, left out, null, empty, the opposite. */
export function* memberStates(base: Json, at: Path, seed: number): Iterable<Json> {
  const object = at.reduce<Json | undefined>(
    (value, token) => (isObject(value) ? value[String(token)] : undefined),
    base,
  );
  if (!isObject(object)) return;
  const roll = dice(seed);
  for (;;) {
    const calm = roll(3) === 0;
    const members = Object.entries(object).flatMap(([key, value]): [string, Json][] => {
      const state = calm && roll(2) === 0 ? value : stateOf(value, roll(8));
      return state === undefined ? [] : [[key, state]];
    });
    yield replaced(base, at, Object.fromEntries(members));
  }
}

function stateOf(value: Json, side: number): Json | undefined {
  if (side < 3) return value;
  if (side < 5) return undefined;
  if (side === 5) return null;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value === 0 ? 1 : 0;
  if (typeof value === 'string') return side === 6 ? '' : value;
  if (Array.isArray(value)) return side === 6 ? [] : [...(value as readonly Json[]), ...(value as readonly Json[])];
  return side === 6 ? {} : value;
}

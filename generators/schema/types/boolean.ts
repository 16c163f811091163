import type { Maker } from './maker.ts';

export function booleanMaker(): Maker {
  return { make: (draw) => draw.mood.optional > 0 && draw.random.chance(0.5), simplest: () => false };
}

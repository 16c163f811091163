import type { Json } from '../../../spec/index.ts';
import { weight } from '../../shrink/weight.ts';
import type { Maker } from './maker.ts';

/** Makes the given values only. */
export function fixedMaker(values: readonly Json[], salt: number): Maker | undefined {
  const sorted = values.toSorted((one, other) => weight(one) - weight(other));
  const [simplest] = sorted;
  if (simplest === undefined) return undefined;
  return {
    make: (draw) => {
      if (draw.mood.optional === 0) return simplest;
      return draw.interesting(sorted, salt) ?? draw.random.pick(sorted);
    },
    simplest: () => simplest,
    alternatives: sorted,
  };
}

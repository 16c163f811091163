import type { Draw } from '../core/draw.ts';
import { INTERESTING_SIZES } from './numbers.ts';

/**
 * Generates a size within bounds.
 *
 * @param weight generated nodes per element.
 */
export function sizeGenerator(min: number, max: number, salt: number, weight: number): (draw: Draw) => number {
  const cap = Math.max(min, Math.min(max, Math.ceil(1500 / Math.max(1, weight))));
  const edges = max <= cap && max > 0 ? [max, max - 1] : [];
  const pool = [...new Set([min, ...edges, ...INTERESTING_SIZES])].filter((size) => size >= min && size <= cap);
  return (draw) => {
    if (draw.profile.optional === 0 && draw.profile.sizes === 0) return min;
    if (draw.budget < 8) return min;
    const chosen =
      draw.profile.sizes > 0 && draw.random.chance(draw.profile.sizes)
        ? (draw.interesting(pool, salt) ?? draw.random.pick(pool))
        : undefined;
    const few = Math.min(cap, Math.max(min, draw.profile.few));
    return chosen ?? draw.random.int(draw.profile.sizes > 0 ? min : Math.min(few, Math.max(min, 1)), few);
  };
}

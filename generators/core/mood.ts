import type { Prng } from './prng.ts';

/** How adventurous one case is. */
export interface Mood {
  /** Chance that an optional member is there. */
  readonly optional: number;
  /** Chance that what may be null is null. */
  readonly nulls: number;
  /** Chance that a leaf takes an interesting value instead of a plain one. */
  readonly odd: number;
  /** Chance that a list or map takes an interesting size instead of a few. */
  readonly sizes: number;
  /** How often a recursive schema may be entered again. */
  readonly depth: number;
  /** Most items of a list whose size is nothing special. */
  readonly few: number;
}

export const MOODS = {
  minimal: { optional: 0, nulls: 0, odd: 0, sizes: 0, depth: 1, few: 3 },
  plain: { optional: 1, nulls: 0, odd: 0, sizes: 0, depth: 2, few: 3 },
  nulls: { optional: 1, nulls: 0.8, odd: 0, sizes: 0.5, depth: 1, few: 3 },
  sparse: { optional: 0.25, nulls: 0.2, odd: 0.5, sizes: 0.3, depth: 2, few: 3 },
  mixed: { optional: 0.5, nulls: 0.2, odd: 0.35, sizes: 0.3, depth: 3, few: 3 },
  careful: { optional: 0.85, nulls: 0.1, odd: 0.12, sizes: 0.1, depth: 2, few: 3 },
  wild: { optional: 0.9, nulls: 0.1, odd: 0.9, sizes: 0.6, depth: 3, few: 3 },
  deep: { optional: 0.97, nulls: 0, odd: 0.1, sizes: 0, depth: 9, few: 1 },
  wide: { optional: 0.8, nulls: 0, odd: 0.1, sizes: 1, depth: 2, few: 3 },
} satisfies Record<string, Mood>;

const WEIGHTED: readonly Mood[] = [
  MOODS.minimal,
  MOODS.plain,
  MOODS.nulls,
  MOODS.sparse,
  MOODS.sparse,
  MOODS.mixed,
  MOODS.mixed,
  MOODS.mixed,
  MOODS.mixed,
  MOODS.mixed,
  MOODS.careful,
  MOODS.careful,
  MOODS.wild,
  MOODS.wild,
  MOODS.wild,
  MOODS.deep,
  MOODS.wide,
];

export function randomMood(random: Prng): Mood {
  return random.pick(WEIGHTED);
}

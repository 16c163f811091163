import type { Prng } from './prng.ts';

/** How unusual one case is. */
export interface Profile {
  /** Probability that an optional member is present. */
  readonly optional: number;
  /** Probability that a nullable value is null. */
  readonly nulls: number;
  /** Probability that a leaf takes an interesting value instead of a plain one. */
  readonly odd: number;
  /** Probability that a list or map takes an interesting size instead of a small one. */
  readonly sizes: number;
  /** How often a recursive schema may be entered again. */
  readonly depth: number;
  /** Most items of a list of small size. */
  readonly few: number;
}

export const PROFILES = {
  minimal: { optional: 0, nulls: 0, odd: 0, sizes: 0, depth: 1, few: 3 },
  plain: { optional: 1, nulls: 0, odd: 0, sizes: 0, depth: 2, few: 3 },
  nulls: { optional: 1, nulls: 0.8, odd: 0, sizes: 0.5, depth: 1, few: 3 },
  sparse: { optional: 0.25, nulls: 0.2, odd: 0.5, sizes: 0.3, depth: 2, few: 3 },
  mixed: { optional: 0.5, nulls: 0.2, odd: 0.35, sizes: 0.3, depth: 3, few: 3 },
  careful: { optional: 0.85, nulls: 0.1, odd: 0.12, sizes: 0.1, depth: 2, few: 3 },
  wild: { optional: 0.9, nulls: 0.1, odd: 0.9, sizes: 0.6, depth: 3, few: 3 },
  deep: { optional: 0.97, nulls: 0, odd: 0.1, sizes: 0, depth: 9, few: 1 },
  wide: { optional: 0.8, nulls: 0, odd: 0.1, sizes: 1, depth: 2, few: 3 },
} satisfies Record<string, Profile>;

const { minimal, plain, nulls, sparse, mixed, careful, wild, deep, wide } = PROFILES;
const WEIGHTED: readonly Profile[] = [minimal, plain, nulls, deep, wide]
  .concat([sparse, careful].flatMap((each) => [each, each]))
  .concat(
    [wild, wild, wild],
    Array.from({ length: 5 }, () => mixed),
  );

export function randomProfile(random: Prng): Profile {
  return random.pick(WEIGHTED);
}

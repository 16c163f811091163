import type { Prng } from '../../core/prng.ts';

/** Generates texts of one format, all valid for the strictest parser. */
export interface Format {
  readonly simplest: string;
  /** True if every parser accepts any text that the validator accepts. */
  readonly free?: boolean;
  /** Valid boundary values. */
  readonly samples: readonly string[];
  readonly make: (random: Prng) => string;
}

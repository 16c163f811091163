import type { Prng } from '../../core/prng.ts';

/** Generates texts of one format that even strict parsers accept. */
export interface Format {
  readonly simplest: string;
  /** True if parsers accept every text that the validator accepts, so that shrinking may change it freely. */
  readonly isLenient?: boolean;
  /** Valid boundary values. */
  readonly samples: readonly string[];
  readonly generate: (random: Prng) => string;
}

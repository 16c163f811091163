import type { Prng } from '../../core/prng.ts';

/** Generates texts of one format that even strict parsers accept. */
export interface Format {
  readonly simplest: string;
  /** True if parsers accept every text that the validator accepts, so that shrinking may change it freely. */
  readonly isLenient?: boolean;
  /** Valid boundary values. */
  readonly samples: readonly string[];
  /** A text of a length, at least that of the longest sample; left out where the syntax sets the length. */
  readonly ofLength?: (length: number) => string;
  readonly generate: (random: Prng) => string;
}

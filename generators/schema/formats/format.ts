import type { Prng } from '../../core/prng.ts';

/** How texts of one format are made. All of them fit the format, and none the strictest reader would refuse. */
export interface Format {
  readonly simplest: string;
  /** True where any text that the validator accepts is one that everybody accepts. */
  readonly free?: boolean;
  /** Valid values that programs get wrong. */
  readonly samples: readonly string[];
  readonly make: (random: Prng) => string;
}

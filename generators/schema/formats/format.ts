import type { Prng } from '../../core/prng.ts';

/** How texts of one format are made. All of them fit the format, and none the strictest reader would refuse. */
export interface Format {
  readonly simplest: string;
  /** Valid values that programs get wrong. */
  readonly samples: readonly string[];
  readonly make: (random: Prng) => string;
}

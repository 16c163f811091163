import { COMBINED } from './combined.ts';
import { SINGLE } from './single.ts';
import type { Variation } from './variation.ts';

/** Deployments that meet every requirement in different ways: `verify` must pass against each. */
export const VARIATIONS: readonly Variation[] = [...SINGLE, ...COMBINED];

import { ANSWERS } from './answers.ts';
import { REFUSALS } from './refusals.ts';
import { TIMING } from './timing.ts';
import type { Variation } from './types.ts';

/** Deployments that keep every promise, each in its own way: none may fail. */
export const VARIATIONS: readonly Variation[] = [...ANSWERS, ...REFUSALS, ...TIMING];

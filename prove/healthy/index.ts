import type { Variation } from './variation.ts';

export const VARIATIONS: readonly Variation[] = [];

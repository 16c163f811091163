import type { Defect } from '../defect.ts';

/** Defects that no operator expresses, written by hand. */
export const EXAM: readonly Defect[] = [];

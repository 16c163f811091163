import type { Defect } from '../defect.ts';
import { BODIES } from './bodies.ts';
import { PATCHES } from './patches.ts';
import { POSTINGS } from './postings.ts';
import { QUERIES } from './queries.ts';
import { STATES } from './states.ts';

/** Defects that no operator expresses, written by hand: thresholds, combinations of values, histories. */
export const EXAM: readonly Defect[] = [...BODIES, ...PATCHES, ...POSTINGS, ...QUERIES, ...STATES];

import type { Defect } from '../defect.ts';
import { ACCESS } from './access.ts';
import { BODIES } from './bodies.ts';
import { CONTENTS } from './contents.ts';
import { CORNER_CASES } from './corner-cases.ts';
import { DESCRIPTIONS } from './descriptions.ts';
import { HISTORIES } from './histories.ts';
import { IDS } from './ids.ts';
import { JOB_BODIES } from './jobs.ts';
import { METADATA_FILTERS } from './metadata-filters.ts';
import { ORDERS } from './orders.ts';
import { PATCHES } from './patches.ts';
import { POSTINGS } from './postings.ts';
import { QUERIES } from './queries.ts';
import { RUNS_AND_RESULTS } from './runs.ts';
import { SELECTIONS } from './selections.ts';
import { STATES } from './states.ts';

/** Defects written by hand, which no operator expresses: thresholds, combinations of values, sequences of requests. */
export const HAND_WRITTEN: readonly Defect[] = [
  ...ACCESS,
  ...BODIES,
  ...JOB_BODIES,
  ...PATCHES,
  ...POSTINGS,
  ...QUERIES,
  ...SELECTIONS,
  ...METADATA_FILTERS,
  ...STATES,
  ...ORDERS,
  ...RUNS_AND_RESULTS,
  ...CONTENTS,
  ...HISTORIES,
  ...IDS,
  ...DESCRIPTIONS,
  ...CORNER_CASES,
];

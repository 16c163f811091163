import { ANSWERS } from './answers.ts';
import { CHOICES } from './choices.ts';
import { NEIGHBOURS } from './neighbours.ts';
import { REFUSALS } from './refusals.ts';
import { RULES } from './rules.ts';
import { SHAPES } from './shapes.ts';
import { STATES } from './states.ts';
import { TENANTS } from './tenants.ts';
import { TIMING } from './timing.ts';
import { CLUES } from './clues.ts';
import { JOB_RULES } from './jobs.ts';
import { LISTS } from './lists.ts';
import { POLICY_RULES } from './policies.ts';
import { RESULTS_DECIDED } from './results.ts';
import { RUNS_LATE } from './runs.ts';
import { TEXTS_CLEANED } from './texts.ts';
import { WIRE } from './wire.ts';
import type { Variation } from './variation.ts';

/** Deployments that meet every requirement and differ from the service in one way each. */
export const SINGLE: readonly Variation[] = [
  ...ANSWERS,
  ...SHAPES,
  ...REFUSALS,
  ...RULES,
  ...TIMING,
  ...STATES,
  ...TENANTS,
  ...WIRE,
  ...CHOICES,
  ...NEIGHBOURS,
  ...CLUES,
  ...JOB_RULES,
  ...LISTS,
  ...POLICY_RULES,
  ...RESULTS_DECIDED,
  ...RUNS_LATE,
  ...TEXTS_CLEANED,
];

import { ANSWERS } from './answers.ts';
import { COMBINED } from './combined.ts';
import { CHOICES } from './choices.ts';
import { NEIGHBOURS } from './neighbours.ts';
import { REFUSALS } from './refusals.ts';
import { RULES } from './rules.ts';
import { SHAPES } from './shapes.ts';
import { STATES } from './states.ts';
import { TIMING } from './timing.ts';
import { RUNS_UNPROMISED } from './runs.ts';
import { UNPROMISED } from './unpromised.ts';
import { WIRE } from './wire.ts';
import type { Variation } from './variation.ts';

/** Deployments that meet every requirement, each in its own way: none may fail. */
export const VARIATIONS: readonly Variation[] = [
  ...ANSWERS,
  ...SHAPES,
  ...REFUSALS,
  ...RULES,
  ...TIMING,
  ...STATES,
  ...WIRE,
  ...CHOICES,
  ...NEIGHBOURS,
  ...UNPROMISED,
  ...RUNS_UNPROMISED,
  ...COMBINED,
];

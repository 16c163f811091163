import { SLICE_MS } from '../plan.ts';
import type { NextStep } from './knee-search.ts';

export const WARMUP_MS = 500;
/** Number of requests for a reliable p99; steps become longer by at most this factor to reach it. */
const ENOUGH = 400;
const LONGER = 8 / 3;
/** Least number of whole periods in a step against a target that stalls regularly: every step has the same share of stalls. */
export const PERIODS = 2;

/** The duration of a step in milliseconds, with its warm-up. */
export function lengthOf({ rate, kind }: NextStep, stepMs: number, periodMs: number | undefined): number {
  const shortest = kind === 'confirm' ? stepMs * 2.5 : stepMs;
  if (periodMs !== undefined) {
    const steady = Math.max(PERIODS, Math.ceil(shortest / periodMs)) * periodMs;
    return WARMUP_MS + Math.round(steady / SLICE_MS) * SLICE_MS;
  }
  const steady = Math.max(shortest, Math.min(stepMs * LONGER, (ENOUGH / rate) * 1000));
  return WARMUP_MS + Math.ceil(steady / SLICE_MS) * SLICE_MS;
}

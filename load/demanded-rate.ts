import { usageError } from '../spec/index.ts';
import { offeredUntil } from './engines/schedule.ts';
import type { Plan } from './plan.ts';
import { scheduleOf } from './profiles.ts';
import type { Threshold } from './thresholds.ts';

/** Responses come after their requests, so that what is answered is a little less than what is offered. */
const MARGIN = 1.02;

/** Requests per second that the thresholds demand of all requests; 0 if they demand none. */
function demandedRate(thresholds: readonly Threshold[]): number {
  const demands = thresholds.filter(
    ({ metric, part, comparison }) => metric === 'rate' && part === undefined && comparison.startsWith('>'),
  );
  return Math.max(0, ...demands.map(({ limit }) => limit));
}

/** Requests per second that a plan offers after its warm-up, on average. */
function offeredOn({ profile, rate, durationMs, warmupMs, executor }: Plan): number {
  const schedule = scheduleOf(profile, rate, durationMs, 'even', executor.segments);
  const offered = offeredUntil(schedule, durationMs) - offeredUntil(schedule, warmupMs);
  return (offered * 1000) / Math.max(1, durationMs - warmupMs);
}

/** The highest rate of a plan at which it offers a little more than the thresholds demand. */
export function rateToOffer(plan: Plan, thresholds: readonly Threshold[]): number {
  return (MARGIN * demandedRate(thresholds) * plan.rate) / offeredOn(plan);
}

/**
 * Throws an AssayError (exit code 2) for a threshold on the rate that no target can meet, because the run offers less.
 * @param highest the highest rate that the plan may get
 */
export function refuseUnreachable(plan: Plan, highest: number, thresholds: readonly Threshold[]): void {
  const demanded = demandedRate(thresholds);
  const offered = highest === plan.rate ? offeredOn(plan) : (offeredOn(plan) * highest) / plan.rate;
  if (demanded === 0 || demanded < offered) return;
  throw usageError(
    `A threshold demands ${demanded} requests per second, but the run offers no more than ${Number(offered.toFixed(1))}.`,
    'Offer more than the threshold demands (--rate, --stage, --max-rate), or lower the threshold.',
  );
}

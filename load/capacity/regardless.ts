import { thousands } from '../../spec/count.ts';
import { isRateLimited } from '../notes.ts';
import type { TakenStep } from './record.ts';
import type { CapacityStep, Limit } from './step.ts';

/** So many steps must have failed, and the rate of the lowest must be so much lower, before a search ends for it. */
const LEAST_STEPS = 3;
const LEAST_RATIO = 4;
/** A lower rate helps if it lowers the figure to less than this share, or raises the share of accepted requests by so much. */
const SAME_SHARE = 0.8;
const MORE_ACCEPTED = 1.1;

const errorShare = ({ trial }: CapacityStep): number => trial.measurement.steady.errorShare;
const p99 = ({ trial }: CapacityStep): number => trial.measurement.steady.latencies.percentile(99);
const percent = (step: CapacityStep): string => `${Number((errorShare(step) * 100).toPrecision(2))}%`;

/** For each limit: whether a step at a far lower rate is no better, and what it has in common with the other one. */
const ALIKE: Partial<Record<Limit, (low: CapacityStep, high: CapacityStep) => string | undefined>> = {
  errors(low, high) {
    const [few, many] = [errorShare(low), errorShare(high)];
    const isSame = few >= many / 2 && 1 - few <= (1 - many) * MORE_ACCEPTED;
    const isLimited = isRateLimited(low.trial.measurement.steady.errors);
    return isSame && !isLimited ? `${percent(low)} and ${percent(high)} of the requests failed` : undefined;
  },
  latency(low, high) {
    const isSame = !low.saturated && !high.saturated && p99(low) >= p99(high) * SAME_SHARE;
    return isSame ? `the p99 was ${Math.round(p99(low))} and ${Math.round(p99(high))} ms` : undefined;
  },
  violations: () => 'responses violated the contract',
};

/** What keeps a target from meeting its thresholds regardless of the load; undefined if that is not known. */
export function regardlessText(taken: readonly TakenStep[]): string | undefined {
  const steps = taken.filter(({ step }) => step.limit !== 'generator').toSorted((a, b) => a.rate - b.rate);
  const [lowest] = steps;
  const limit = lowest?.step.limit;
  if (lowest === undefined || limit === undefined || steps.length < LEAST_STEPS) return undefined;
  const other = steps.find(({ rate }) => rate >= lowest.rate * LEAST_RATIO);
  if (other === undefined || steps.some(({ step }) => step.limit !== limit)) return undefined;
  const alike = ALIKE[limit]?.(lowest.step, other.step);
  if (alike === undefined) return undefined;
  const rates = `at ${thousands(lowest.rate)} and ${thousands(other.rate)} requests/s`;
  return `the load is not the reason: ${alike} ${rates}; with a --threshold that allows this, the search finds the load that the target handles`;
}

import { createRandom } from '../world/random.ts';
import { Refusal, answerFor } from '../http/refusal.ts';
import type { Wrap } from '../http/call.ts';
import { PreciseTimer } from './precise-timer.ts';

/** A known capacity: each of `servers` serves one request at a time for `serviceMs`, in order of arrival. */
export interface Capacity {
  readonly servers: number;
  /** Mean service time in milliseconds; the capacity is `servers / serviceMs * 1000` requests/s. */
  readonly serviceMs: number;
  /** Constant service times (M/D/c under Poisson arrivals, default) or exponential ones (M/M/c). */
  readonly distribution?: 'deterministic' | 'exponential';
  /** Maximum of waiting requests; further ones get 503 with Retry-After. Default: no limit. */
  readonly queue?: number;
}

/** Sends every call except the status check through the queue. Start and end are computed from the arrival: late timers do not add up. */
export function capacityWrap(capacity: Capacity, seed: number): { wrap: Wrap; stop: () => void } {
  const { servers, serviceMs, distribution = 'deterministic', queue = Infinity } = capacity;
  const timer = new PreciseTimer();
  const random = createRandom(seed, 0x7e57ab1e);
  const freeAt = Array.from({ length: servers }, () => 0);
  const serviceTime = () => (distribution === 'exponential' ? -Math.log(1 - random.next()) * serviceMs : serviceMs);
  /** Start times of waiting requests, in order. */
  const starts: number[] = [];
  const wrap: Wrap = async (call, next) => {
    if (call.operation?.permission === 'none') return next(call);
    const arrival = performance.now();
    const server = freeAt.indexOf(Math.min(...freeAt));
    const start = Math.max(arrival, freeAt[server] ?? 0);
    while ((starts[0] ?? Infinity) <= arrival) starts.shift();
    if (starts.length >= queue && start > arrival) {
      return answerFor(new Refusal(503, 'The queue is full.', undefined, { 'retry-after': '1' }));
    }
    if (start > arrival) starts.push(start);
    const end = start + serviceTime();
    freeAt[server] = end;
    await timer.until(end);
    return next(call);
  };
  return { wrap, stop: () => timer.stop() };
}

import type { Exchange } from '../../spec/index.ts';
import type { Wrap } from '../plan.ts';
import type { RetryOptions } from '../target/options.ts';
import type { Pace } from './pace.ts';
import { Patience } from './patience.ts';
import { retryAfterMs } from './retry-after.ts';

const FIRST_BACKOFF_MS = 250;
const SHORTEST_WAIT_MS = 20;
const MOST_ATTEMPTS_ON_503 = 5;

function backoffMs(attempts: number, longest: number): number {
  const ceiling = Math.min(longest, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
  return ceiling * (0.5 + Math.random() / 2);
}

/** How long to wait before the exchange is tried again; undefined where it stands as it is. */
function waitFor(exchange: Exchange, attempts: number, options: RetryOptions): number | undefined {
  const { response } = exchange;
  if (!response || attempts >= options.attempts) return undefined;
  if (response.status !== 429 && response.status !== 503) return undefined;
  if (response.status === 503 && attempts >= MOST_ATTEMPTS_ON_503) return undefined;
  const asked = retryAfterMs(response, Date.now());
  if (asked === undefined) return response.status === 429 ? backoffMs(attempts, options.longestWaitMs) : undefined;
  return asked > options.longestWaitMs ? undefined : Math.max(SHORTEST_WAIT_MS, asked);
}

/**
 * Repeats what was answered with 429, or with 503 and a `Retry-After`. A 429 holds all senders, a 503 only its own.
 * What asks for a longer wait than allowed, and a target that has refused everything for too long, is handed on as it is.
 */
export function withRetry(pace: Pace, options: RetryOptions): Wrap {
  const patience = new Patience(options);
  const hold = async (exchange: Exchange, wait: number | undefined) => {
    const refused = exchange.response?.status === 429;
    if (!refused) {
      patience.answered();
      pace.served();
    }
    if (wait === undefined || pace.stopped || !patience.bears(wait, refused)) return false;
    if (refused) pace.pause(wait);
    else await pace.wait(wait);
    return !pace.stopped;
  };
  return (next) => async (plan) => {
    for (let attempts = 1; ; attempts += 1) {
      const exchange = await next(plan);
      if (await hold(exchange, waitFor(exchange, attempts, options))) continue;
      return attempts === 1 ? exchange : { ...exchange, attempts };
    }
  };
}

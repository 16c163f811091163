import type { Exchange, Method, ReceivedResponse } from '../../spec/index.ts';
import type { RetryOptions } from '../options.ts';
import { isSafe, methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec } from '../request-spec.ts';
import { headerOf } from '../transport/receive.ts';
import type { RateLimits } from './rate-limit.ts';
import type { RepeatReason, Statistics } from './statistics.ts';

const NOT_CONNECTED: ReadonlySet<string> = new Set(['refused', 'dns', 'tls']);

/** Waits before the repeats of one request. */
const WAITS_MS = { 'not-connected': [100, 400, 1_500], reset: [0, 50, 200] } as const;

const MOST_ATTEMPTS = { 429: 12, 502: 5, 503: 5, 504: 5 } as const;
const FIRST_BACKOFF_MS = 250;
const SHORTEST_WAIT_MS = 20;
/** A request with a longer `Retry-After` is not repeated. */
const LONGEST_WAIT_MS = 30_000;

/** A repeat of a request: its reason and delay. */
interface Repeat {
  readonly reason: RepeatReason;
  readonly waitMs: number;
}

/** How long a run waits after 429, or 502 to 504 with `Retry-After`: an allowance and half of its time, so at most twice as long in all. */
export class RetryBudget {
  readonly #allowanceMs: number;
  readonly #begun = performance.now();
  #waitingUntil = 0;
  #waitedMs = 0;
  #refusedSince: number | undefined;

  constructor(allowanceMs: number) {
    this.#allowanceMs = allowanceMs;
  }

  /** Records a response other than 429. */
  accepted(): void {
    this.#refusedSince = undefined;
  }

  /** Takes a wait from the budget if enough is left; concurrent waits count once. */
  take({ reason, waitMs }: Repeat): boolean {
    const now = performance.now();
    if (reason === 'status-429') {
      this.#refusedSince ??= now;
      if (now - this.#refusedSince >= this.#allowanceMs) return false;
    }
    const more = Math.max(0, now + waitMs - Math.max(now, this.#waitingUntil));
    if (this.#waitedMs + more > this.#allowanceMs + (now - this.#begun) / 2) return false;
    this.#waitingUntil = Math.max(this.#waitingUntil, now + waitMs);
    this.#waitedMs += more;
    return true;
  }
}

/** The wait of a `Retry-After` in milliseconds, of an HTTP date by the clock of the response; undefined if malformed. */
export function retryAfterMs(response: ReceivedResponse, now: number): number | undefined {
  const value = headerOf(response, 'retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  if (Number.isNaN(date) || /^[\d.+-]/.test(value)) return undefined;
  const clock = Date.parse(headerOf(response, 'date') ?? '');
  return Math.max(0, date - (Number.isNaN(clock) ? now : clock));
}

function backoffMs(attempts: number): number {
  const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
  return ceiling * (0.5 + Math.random() / 2);
}

/** Statuses by which a gateway requests a repeat: 429, and the others with `Retry-After`. */
function isRepeated(status: number): status is keyof typeof MOST_ATTEMPTS {
  return status in MOST_ATTEMPTS;
}

/** True for 429, and for 503 as a web page without `Retry-After`, with which nginx limits rates and connections by default. */
function isRateLimit(response: ReceivedResponse): boolean {
  if (response.status === 429) return true;
  return response.status === 503 && response.mediaType === 'text/html' && !headerOf(response, 'retry-after');
}

/** True for 429, and for 502, 503 and 504 with `Retry-After`: they come from a gateway, not from the service. */
export function isPostponed(response: ReceivedResponse): boolean {
  const { status } = response;
  return status === 429 || (isRepeated(status) && headerOf(response, 'retry-after') !== undefined);
}

/** True for a request that the service may have processed although a gateway answered it: it is not sent again. */
export function mayBeProcessed(status: number, method: Method): boolean {
  return (status === 502 || status === 504) && !isSafe(method);
}

/** The repeat after a response of a gateway, if any. */
function afterStatus(response: ReceivedResponse, method: Method, attempts: number): Repeat | undefined {
  const { status } = response;
  if (!isRepeated(status) || attempts >= MOST_ATTEMPTS[status]) return undefined;
  if (mayBeProcessed(status, method)) return undefined;
  const requestedMs = retryAfterMs(response, Date.now());
  if (requestedMs === undefined)
    return isRateLimit(response) ? { reason: `status-${status}`, waitMs: backoffMs(attempts) } : undefined;
  const waitMs = Math.max(SHORTEST_WAIT_MS, requestedMs);
  return requestedMs > LONGEST_WAIT_MS ? undefined : { reason: `status-${status}`, waitMs };
}

/** The repeat after a failure: for a request that was not sent, or a safe one whose connection was reset. */
function afterFailure(
  { kind, stage }: NonNullable<Exchange['failure']>,
  method: Method,
  attempts: number,
): Repeat | undefined {
  const reason = NOT_CONNECTED.has(kind) ? 'not-connected' : 'reset';
  if (reason === 'reset' && (kind !== 'reset' || !(isSafe(method) || stage === 'connecting'))) return undefined;
  const waitMs = WAITS_MS[reason][attempts - 1];
  return waitMs === undefined ? undefined : { reason, waitMs };
}

/** Dependencies of the retry policy. */
export interface RetryParts extends RetryOptions {
  readonly limits: RateLimits;
  readonly statistics: Statistics;
}

/**
 * When a request is sent again:
 *
 * | outcome | methods | waits | limit |
 * |---|---|---|---|
 * | not connected (refused, unknown host, TLS) | all: nothing was sent | 100, 400, 1,500 ms | 3 repeats |
 * | connection reset while connecting | all: nothing was sent | 0, 50, 200 ms | 3 repeats |
 * | connection reset after the request was sent | GET, HEAD, OPTIONS | 0, 50, 200 ms | 3 repeats |
 * | 429 | all: it was not processed | `Retry-After`, else 250 ms doubled each time; several pause all requests, or those of few operations if no others are refused | 12 attempts, {@link RetryBudget} |
 * | 503 with `Retry-After` | all: it was not processed | `Retry-After` | 5 attempts, {@link RetryBudget} |
 * | 503 as a web page | all: a gateway refused it | 250 ms doubled each time; several pause all requests | 5 attempts, {@link RetryBudget} |
 * | 502, 504 with `Retry-After` | GET, HEAD, OPTIONS | `Retry-After` | 5 attempts, {@link RetryBudget} |
 * | 401 to an expired token (`renewal.ts`) | all: it was refused | until the token is renewed | 2 repeats |
 * | time-out, other failures, other statuses | never | | |
 *
 * POST and PATCH are not repeated after a reset, 502 or 504 because the target may have processed them. Neither are PUT and DELETE:
 * HTTP calls them idempotent, but the document does not state it, a second DELETE returns 404, and a second approval of
 * results may be refused; the repeat would be reported as a defect of the target.
 */
export function withRetry({ patienceMs = 60_000, reconnect = true, limits, statistics }: RetryParts): Middleware {
  const budget = new RetryBudget(patienceMs);
  const repeatAfter = ({ response, failure }: Exchange, spec: RequestSpec, attempts: number): Repeat | undefined => {
    const method = methodOf(spec);
    if (response !== undefined) return afterStatus(response, method, attempts);
    const repeat = failure && afterFailure(failure, method, attempts);
    return repeat?.reason === 'not-connected' && !reconnect ? undefined : repeat;
  };
  const isGranted = (repeat: Repeat): boolean => !repeat.reason.startsWith('status-') || budget.take(repeat);
  const wait = async ({ operation, response }: Exchange, { reason, waitMs }: Repeat): Promise<void> => {
    statistics.countRepeat(operation, reason);
    const ownMs = response !== undefined && isRateLimit(response) ? limits.refused(operation, waitMs, reason) : waitMs;
    if (ownMs === 0) return;
    statistics.countWait(operation, reason, ownMs);
    await limits.wait(ownMs);
  };
  return (next) => async (spec) => {
    let sent = 0;
    for (let attempts = 1; ; attempts += 1) {
      const exchange = await next(spec);
      sent += exchange.attempts;
      if (exchange.response === undefined || !isRateLimit(exchange.response)) {
        budget.accepted();
        limits.accepted(exchange.operation);
      }
      const repeat = repeatAfter(exchange, spec, attempts);
      if (repeat === undefined || limits.stopped || !isGranted(repeat)) return { ...exchange, attempts: sent };
      await wait(exchange, repeat);
    }
  };
}

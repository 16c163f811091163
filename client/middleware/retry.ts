import type { Exchange, Method, ReceivedResponse } from '../../spec/index.ts';
import type { RetryOptions } from '../options.ts';
import { methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec } from '../request-spec.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { RepeatReason, Statistics } from './statistics.ts';

/** Methods that change nothing. PUT and DELETE are not among them: see {@link withRetry}. */
const SAFE: ReadonlySet<Method> = new Set(['GET', 'HEAD', 'OPTIONS']);

const NOT_CONNECTED: ReadonlySet<string> = new Set(['refused', 'dns', 'tls']);

const CONNECTION_WAITS_MS = [100, 400, 1_500];
const RESET_WAITS_MS = [0, 50, 200];
const MOST_ATTEMPTS_ON_503 = 5;
const FIRST_BACKOFF_MS = 250;
const SHORTEST_RETRY_AFTER_MS = 20;

/** That a request is to be sent again, and when. */
interface Repeat {
  readonly reason: RepeatReason;
  readonly waitMs: number;
}

/**
 * How long a run may wait for a target that answers 429 or 503: an allowance, and half of the time that the run has
 * taken. A target that keeps asking for patience makes a run about twice as long, and never endless.
 */
export class RetryBudget {
  readonly #allowanceMs: number;
  readonly #begun = performance.now();
  #waitingUntil = 0;
  #waitedMs = 0;
  #refusedSince: number | undefined;

  constructor(allowanceMs: number) {
    this.#allowanceMs = allowanceMs;
  }

  /** A response other than 429 came. */
  accepted(): void {
    this.#refusedSince = undefined;
  }

  /** Takes a wait from the budget, if it is not used up; waits at the same time count once. */
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

function headerOf(response: ReceivedResponse, name: string): string | undefined {
  return response.headers.find(([key]) => key === name)?.[1].trim();
}

/**
 * How long a `Retry-After` asks to wait, in milliseconds: its seconds, or its HTTP date by the clock of the response.
 * Undefined where there is none that can be read.
 */
export function retryAfterMs(response: ReceivedResponse, now: number): number | undefined {
  const value = headerOf(response, 'retry-after');
  if (value === undefined || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  if (Number.isNaN(date) || /^[\d.+-]/.test(value)) return undefined;
  const clock = Date.parse(headerOf(response, 'date') ?? '');
  return Math.max(0, date - (Number.isNaN(clock) ? now : clock));
}

function backoffMs(attempts: number, longest: number): number {
  const ceiling = Math.min(longest, FIRST_BACKOFF_MS * 2 ** (attempts - 1));
  return ceiling * (0.5 + Math.random() / 2);
}

/** A repeat after 429 or 503. */
function postponed(response: ReceivedResponse, attempts: number, options: RetryOptions): Repeat | undefined {
  const { status } = response;
  const most = status === 429 ? options.attempts : Math.min(options.attempts, MOST_ATTEMPTS_ON_503);
  if ((status !== 429 && status !== 503) || attempts >= most) return undefined;
  const asked = retryAfterMs(response, Date.now());
  if (asked === undefined)
    return status === 429 ? { reason: 'status-429', waitMs: backoffMs(attempts, options.longestWaitMs) } : undefined;
  const waitMs = Math.max(SHORTEST_RETRY_AFTER_MS, asked);
  return asked > options.longestWaitMs ? undefined : { reason: `status-${status}`, waitMs };
}

/** Repeats of one request; counts the failures of each kind by itself. */
class Repeats {
  readonly #options: RetryOptions;
  readonly #isSafe: boolean;
  #attempts = 0;
  #connections = 0;
  #resets = 0;

  constructor(options: RetryOptions, spec: RequestSpec) {
    this.#options = options;
    this.#isSafe = SAFE.has(methodOf(spec));
  }

  get attempts(): number {
    return this.#attempts;
  }

  after({ failure, response }: Exchange): Repeat | undefined {
    this.#attempts += 1;
    if (response !== undefined) return postponed(response, this.#attempts, this.#options);
    if (failure === undefined) return undefined;
    if (NOT_CONNECTED.has(failure.kind)) {
      if (!this.#options.reconnect) return undefined;
      return repeatIn('not-connected', CONNECTION_WAITS_MS[this.#connections++]);
    }
    if (failure.kind !== 'reset' || !(this.#isSafe || failure.stage === 'connecting')) return undefined;
    return repeatIn('reset', RESET_WAITS_MS[this.#resets++]);
  }
}

function repeatIn(reason: RepeatReason, waitMs: number | undefined): Repeat | undefined {
  return waitMs === undefined ? undefined : { reason, waitMs };
}

/** What the retry policy works with. */
export interface RetryParts {
  readonly options: RetryOptions;
  readonly limiter: RateLimiter;
  readonly statistics: Statistics;
}

/**
 * The one place where a request is sent again:
 *
 * | outcome | methods | waits | limit |
 * |---|---|---|---|
 * | not connected (refused, unknown host, TLS) | all: nothing was sent | 100, 400, 1,500 ms | 3 repeats |
 * | connection reset while connecting | all: nothing was sent | 0, 50, 200 ms | 3 repeats |
 * | connection reset after the request was sent | GET, HEAD, OPTIONS | 0, 50, 200 ms | 3 repeats |
 * | 429 | all: it was not processed | `Retry-After`, else 250 ms doubled each time; pauses all requests | 12 attempts, {@link RetryBudget} |
 * | 503 with `Retry-After` | all: it was not processed | `Retry-After` | 5 attempts, {@link RetryBudget} |
 * | time-out, other failures, other statuses | never | | |
 *
 * POST and PATCH are not repeated after a reset because the target may have processed them. Neither are PUT and DELETE:
 * HTTP calls them idempotent, but the document promises it of no operation, a second DELETE is answered with 404, and
 * a second approval of results may be refused; the repeat would be reported as a defect of the target.
 */
export function withRetry({ options, limiter, statistics }: RetryParts): Middleware {
  const budget = new RetryBudget(options.patienceMs);
  const note = ({ response }: Exchange): void => {
    if (response?.status === 429) return;
    budget.accepted();
    limiter.accepted();
  };
  const wait = async (operation: string, repeat: Repeat): Promise<void> => {
    statistics.countRepeat(operation, repeat.reason);
    if (repeat.reason === 'status-429') {
      limiter.pause(repeat.waitMs);
      return;
    }
    statistics.countWait(operation, repeat.reason, repeat.waitMs);
    await limiter.wait(repeat.waitMs);
  };
  const isGranted = (repeat: Repeat): boolean => !repeat.reason.startsWith('status-') || budget.take(repeat);
  return (next) => async (spec) => {
    const repeats = new Repeats(options, spec);
    for (;;) {
      const exchange = await next(spec);
      note(exchange);
      const repeat = repeats.after(exchange);
      if (repeat === undefined || limiter.stopped || !isGranted(repeat))
        return repeats.attempts === 1 ? exchange : { ...exchange, attempts: repeats.attempts };
      await wait(spec.operation.id, repeat);
    }
  };
}

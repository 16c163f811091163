import type { Exchange, Redactor, StatisticsRecord } from '../../spec/index.ts';
import type { Middleware, RequestSpec } from '../request-spec.ts';
import type { Deadline } from './deadline.ts';

/** Why a request was sent again. */
export type RepeatReason = `status-${401 | 429 | 502 | 503 | 504}` | 'not-connected' | 'reset';

/** Why a request waited: before a repeat, or because of a rate limit. */
export type WaitReason = RepeatReason | 'rate-limit';

interface Counters {
  exchanges: number;
  attempts: number;
  readonly repeats: Record<string, number>;
  readonly waitedMs: Record<string, number>;
}

/** A request that has had no response for less time is not noted at the end of the run. */
const NOTED_AFTER_MS = 5_000;

/** Longer bodies are not part of a note. */
const MOST_SHOWN = 80;

/** Statistics of a target since it was created. */
export type TargetStats = Omit<StatisticsRecord, 'type'>;

const emptyCounters = (): Counters => ({ exchanges: 0, attempts: 0, repeats: {}, waitedMs: {} });

function rounded(totals: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(totals).map(([key, value]) => [key, Math.round(value)]));
}

function isNotable({ repeats, waitedMs }: Counters): boolean {
  return Object.keys(repeats).length > 0 || Object.keys(waitedMs).length > 0;
}

/** Counts exchanges, attempts and waits, in all and per operation. */
export class Statistics {
  readonly #total = emptyCounters();
  readonly #operations = new Map<string, Counters>();
  #failures = 0;
  #responseBytes = 0;
  readonly #createdAt = performance.now();
  readonly #inFlight = new Set<{ readonly spec: RequestSpec; readonly sentAt: number }>();
  #respondedAt = performance.now();
  #unanswered: Pick<TargetStats, 'unanswered' | 'hasStopped'> = {};
  /** Since when every response was 429. */
  #refusedSince: number | undefined;

  countExchange({ operation, attempts, response }: Exchange): void {
    for (const counters of this.#countersOf(operation)) {
      counters.exchanges += 1;
      counters.attempts += attempts;
    }
    if (response) this.#responseBytes += response.body.byteLength;
    else this.#failures += 1;
    if (response?.status === 429) this.#refusedSince ??= performance.now();
    else if (response) this.#refusedSince = undefined;
  }

  countRepeat(operation: string, reason: RepeatReason): void {
    if (reason === 'status-429') this.#refusedSince ??= performance.now();
    for (const { repeats } of this.#countersOf(operation)) repeats[reason] = (repeats[reason] ?? 0) + 1;
  }

  countWait(operation: string, reason: WaitReason, ms: number): void {
    for (const { waitedMs } of this.#countersOf(operation)) waitedMs[reason] = (waitedMs[reason] ?? 0) + ms;
  }

  /** Counts a request as in flight until its response is there. */
  async follow<T>(spec: RequestSpec, response: Promise<T>): Promise<T> {
    const sent = { spec, sentAt: performance.now() };
    this.#inFlight.add(sent);
    return response.finally(() => {
      this.#inFlight.delete(sent);
      this.#respondedAt = performance.now();
    });
  }

  /** Notes which requests have had no response for seconds: the time of the run is over, and nobody waits for them. */
  noteUnanswered(redact: (text: string) => string): void {
    const now = performance.now();
    const unanswered = [...this.#inFlight]
      .filter(({ sentAt }) => now - sentAt >= NOTED_AFTER_MS)
      .map(({ spec, sentAt }) => {
        const body = redact(bodyText(spec));
        const shown = body === '' || body.length > MOST_SHOWN ? {} : { body };
        return { operation: spec.operation.id, ...shown, waitedMs: Math.round(now - sentAt) };
      })
      .toSorted((a, b) => b.waitedMs - a.waitedMs);
    if (unanswered.length === 0) return;
    this.#unanswered = { unanswered, ...(now - this.#respondedAt < NOTED_AFTER_MS ? {} : { hasStopped: true }) };
  }

  /** The figures so far; only operations with repeats or waits are listed. */
  snapshot(): TargetStats {
    const { exchanges, attempts, repeats, waitedMs } = this.#total;
    const operations = [...this.#operations].filter(([, each]) => isNotable(each));
    return {
      exchanges,
      attempts,
      failures: this.#failures,
      responseBytes: this.#responseBytes,
      repeats: { ...repeats },
      waitedMs: rounded(waitedMs),
      ...(this.#refusedSince === undefined ? {} : { refusedShare: this.#shareSince(this.#refusedSince) }),
      ...this.#unanswered,
      operations: operations.map(([operation, each]) => ({ operation, ...each, waitedMs: rounded(each.waitedMs) })),
    };
  }

  #shareSince(began: number): number {
    const now = performance.now();
    return (now - began) / (now - this.#createdAt);
  }

  #countersOf(operation: string): readonly Counters[] {
    const known = this.#operations.get(operation) ?? emptyCounters();
    this.#operations.set(operation, known);
    return [this.#total, known];
  }
}

/** Counts the exchanges that callers receive. */
export function withStatistics(statistics: Statistics): Middleware {
  return (next) => async (spec) => {
    const exchange = await next(spec);
    statistics.countExchange(exchange);
    return exchange;
  };
}

function bodyText({ json, body }: RequestSpec): string {
  if (json !== undefined) return JSON.stringify(json);
  return typeof body?.content === 'string' ? body.content : '';
}

/** Follows the requests in flight, and notes those without a response when the time is used up. */
export function withFollowing(statistics: Statistics, deadline: Deadline | undefined, redactor: Redactor): Middleware {
  deadline?.onTimeUp(() => statistics.noteUnanswered((text) => redactor.text(text)));
  return (next) => (spec) => statistics.follow(spec, next(spec));
}

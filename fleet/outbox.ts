import type { LaneEvent, LaneResult, LaneSlice, Report, Tick } from './messages.ts';

export interface OutboxOptions {
  readonly run: string;
  readonly agent: string;
  readonly now: () => number;
  readonly boundMs: () => number;
  readonly publish: (report: Report) => Promise<void>;
}

const RESEND_MS = 3_000;
/** Between two reports of an agent. */
export const REPORT_MS = 1_000;
const MOMENTS = 4;
/** Events are reported at once, because the controller waits for them, but those of this time together. */
const EVENT_MS = 50;

/**
 * Milliseconds until an agent's next report. Agents report at common moments, so that the controller
 * reads many reports at once; at several per second, so that it does not have to read all of them at once.
 *
 * @param now broker time
 * @param agent any number of the agent; it selects the moment
 */
export function untilReport(now: number, agent: number): number {
  const at = ((agent % MOMENTS) * REPORT_MS) / MOMENTS;
  return REPORT_MS - ((((now - at) % REPORT_MS) + REPORT_MS) % REPORT_MS);
}

/** Collects and publishes an agent's reports, and keeps each until it is on the controller's disk. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #pending = new Map<number, { readonly report: Report; publishedAt: number }>();
  #slices: LaneSlice[] = [];
  #events: LaneEvent[] = [];
  #results: LaneResult[] = [];
  #failure: Report['failure'];
  #leaving = false;
  #seq = 0;
  #tickDelayMs = 0;
  #progressAt = 0;
  #flushTimer: NodeJS.Timeout | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  slice(slice: LaneSlice): void {
    this.#slices.push(slice);
  }

  /** Returns the number of its report. */
  event(event: LaneEvent): number {
    this.#events.push(event);
    this.#flushTimer ??= setTimeout(() => this.flush(), EVENT_MS);
    return this.#seq + 1;
  }

  result(result: LaneResult): void {
    this.#results.push(result);
  }

  fail(failure: NonNullable<Report['failure']>): void {
    this.#failure = failure;
  }

  markLeaving(): void {
    this.#leaving = true;
  }

  recordTickDelay(ms: number): void {
    this.#tickDelayMs = Math.max(this.#tickDelayMs, ms);
  }

  /** True when all reports up to this one are on the controller's disk. */
  isCommitted(seq: number): boolean {
    const [oldest = Infinity] = this.#pending.keys();
    return seq <= this.#seq && seq < oldest;
  }

  /** Publishes a report of what happened since the last one, even if nothing did: it shows that the agent is alive. */
  flush(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    const { run, agent, now, boundMs } = this.#options;
    const report: Report = {
      kind: 'report',
      run,
      agent,
      seq: (this.#seq += 1),
      sentAt: now(),
      boundMs: boundMs(),
      tickDelayMs: this.#tickDelayMs,
      slices: this.#slices,
      events: this.#events,
      ...(this.#results.length === 0 ? {} : { results: this.#results }),
      ...(this.#leaving ? { leaving: true } : {}),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
    };
    this.#slices = [];
    this.#events = [];
    this.#results = [];
    this.#tickDelayMs = 0;
    this.#pending.set(report.seq, { report, publishedAt: 0 });
    this.#publish(report.seq);
  }

  /** Drops reports that are on the controller's disk, and publishes those again that have waited too long. */
  acknowledge({ committed, committedAt }: Tick): void {
    const upTo = committed[this.#options.agent];
    const now = this.#options.now();
    for (const [seq, { report, publishedAt }] of this.#pending) {
      if (upTo === undefined ? report.sentAt <= committedAt : seq <= upTo) {
        this.#pending.delete(seq);
        this.#progressAt = now;
      } else if (now - publishedAt > RESEND_MS && now - this.#progressAt > RESEND_MS) this.#publish(seq);
    }
  }

  #publish(seq: number): void {
    const pending = this.#pending.get(seq);
    if (pending === undefined) return;
    const { now, publish } = this.#options;
    pending.publishedAt = now();
    publish(pending.report).catch(() => {});
  }
}

import type { LaneEvent, LaneResult, LaneSlice, Report, Tick } from './messages.ts';

export interface OutboxOptions {
  readonly run: string;
  readonly agent: string;
  readonly now: () => number;
  readonly boundMs: () => number;
  /** Hands a report to the broker. */
  readonly put: (report: Report) => Promise<void>;
}

const RESEND_MS = 3_000;
/** The controller waits for events; those of this time are reported together. */
const EVENT_MS = 50;

/** What an agent has to say, kept until the controller has it on disk: a broker may forget. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #kept = new Map<number, { readonly report: Report; putAt: number }>();
  #slices: LaneSlice[] = [];
  #events: LaneEvent[] = [];
  #results: LaneResult[] = [];
  #failure: Report['failure'];
  #leaving = false;
  #seq = 0;
  #tickDelayMs = 0;
  #movedAt = 0;
  #soon: NodeJS.Timeout | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  slice(slice: LaneSlice): void {
    this.#slices.push(slice);
  }

  event(event: LaneEvent): void {
    this.#events.push(event);
    this.#soon ??= setTimeout(() => this.flush(), EVENT_MS);
  }

  result(result: LaneResult): void {
    this.#results.push(result);
  }

  fail(failure: NonNullable<Report['failure']>): void {
    this.#failure = failure;
  }

  leaves(): void {
    this.#leaving = true;
  }

  tickTook(ms: number): void {
    this.#tickDelayMs = Math.max(this.#tickDelayMs, ms);
  }

  /** Everything that was said is on the controller's disk. */
  get isEmpty(): boolean {
    return this.#kept.size === 0 && this.#slices.length + this.#events.length + this.#results.length === 0;
  }

  /** Reports what has happened since the last call, also if it is nothing. */
  flush(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
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
    this.#kept.set(report.seq, { report, putAt: 0 });
    this.#put(report.seq);
  }

  /** Forgets what is on the controller's disk, and puts again what has been waiting for long. */
  committed({ committed, committedAt }: Tick): void {
    const upTo = committed[this.#options.agent];
    const now = this.#options.now();
    for (const [seq, { report, putAt }] of this.#kept) {
      if (upTo === undefined ? report.sentAt <= committedAt : seq <= upTo) {
        this.#kept.delete(seq);
        this.#movedAt = now;
      } else if (now - putAt > RESEND_MS && now - this.#movedAt > RESEND_MS) this.#put(seq);
    }
  }

  #put(seq: number): void {
    const kept = this.#kept.get(seq);
    if (kept === undefined) return;
    const { now, put } = this.#options;
    kept.putAt = now();
    put(kept.report).catch(() => {});
  }
}

import { Latencies } from './latencies.ts';
import type { Sample, Slice, SlicePart } from './messages.ts';
import type { Series } from './traffic.ts';

const MOST_STATUS = 999;
/** A request that waits longer for a connection counts as late. */
const LATE_MS = 1;

class Counts {
  readonly #series: Series;
  readonly #latencies = new Latencies();
  readonly #statuses = new Uint32Array(MOST_STATUS + 1);
  #answered = 0;
  #failed = 0;
  #errors = new Map<string, number>();

  constructor(series: Series) {
    this.#series = series;
  }

  answer(latencyMs: number, status: number): void {
    this.#answered += 1;
    this.#statuses[status] = (this.#statuses[status] as number) + 1;
    this.#latencies.record(latencyMs);
  }

  failure(kind: string, latencyMs: number | undefined): void {
    this.#failed += 1;
    if (latencyMs !== undefined) this.#latencies.record(latencyMs);
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1);
  }

  take(): SlicePart {
    const statuses: [number, number][] = [];
    if (this.#answered > 0)
      this.#statuses.forEach((count, status) => {
        if (count > 0) statuses.push([status, count]);
      });
    const taken = {
      ...this.#series,
      answered: this.#answered,
      failed: this.#failed,
      statuses,
      errors: [...this.#errors],
      latencies: this.#latencies.take(),
    };
    if (this.#answered > 0) this.#statuses.fill(0);
    this.#answered = this.#failed = 0;
    this.#errors = new Map();
    return taken;
  }
}

/** The counts of one worker in the current slice. On the hot path: no formatting, parsing or logging. */
export class Recorder {
  readonly lag = new Latencies();
  sent = 0;
  late = 0;
  unsent = 0;
  refused = 0;
  withheld = 0;
  sentTo = 0;
  readonly #series: Counts[];
  readonly #numbers = new Map<string, number>();
  #samples: Sample[] = [];
  #failedIds: number[] = [];
  readonly #keepsIds: boolean;

  /** `keepsIds`: the ids of requests that were not acknowledged are kept, for an audit. */
  constructor(series: readonly Series[], keepsIds: boolean) {
    this.#keepsIds = keepsIds;
    this.#series = series.map((one) => new Counts(one));
  }

  /** The index of a series, which is added if it is new. */
  seriesOf(part: string, operation: string, named?: string): number {
    const key = `${part}\n${operation}\n${named ?? ''}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#series.length);
    return this.#series.push(new Counts({ part, operation, ...(named !== undefined && { named }) })) - 1;
  }

  /** Counts a request that is sent now. @param freeAt when its connection became free */
  sends(dueAt: number, freeAt: number, now: number): void {
    const waited = freeAt - dueAt;
    if (waited > LATE_MS) this.late += 1;
    this.lag.record(now - (waited > 0 ? freeAt : dueAt));
    this.sent += 1;
  }

  answer(series: number, latencyMs: number, status: number): void {
    (this.#series[series] as Counts).answer(latencyMs, status);
  }

  /** Counts a request without an accepted response. Timeouts have a latency. */
  failure(series: number, kind: string, id: number, latencyMs?: number): void {
    (this.#series[series] as Counts).failure(kind, latencyMs);
    this.unknown(id);
  }

  /** Counts a request that was refused because its token had ended. */
  refusal(id: number): void {
    this.refused += 1;
    this.unknown(id);
  }

  /** Keeps the id of a request with an unknown outcome. */
  unknown(id: number): void {
    if (this.#keepsIds) this.#failedIds.push(id);
  }

  sample(sample: Sample): void {
    this.#samples.push(sample);
  }

  take(
    rest: Pick<Slice, 'index' | 'spanMs' | 'from' | 'to' | 'inFlight' | 'backlog' | 'connections' | 'busy' | 'flow'>,
  ): Slice {
    const slice: Slice = {
      ...rest,
      sent: this.sent,
      late: this.late,
      unsent: this.unsent,
      refused: this.refused,
      withheld: this.withheld,
      sentTo: this.sentTo,
      samples: this.#samples,
      failedIds: this.#failedIds,
      lag: this.lag.take(),
      parts: this.#series.map((counts) => counts.take()),
    };
    this.sent = this.late = this.unsent = this.refused = this.withheld = 0;
    this.#samples = [];
    this.#failedIds = [];
    return slice;
  }
}

import { Latencies } from './latencies.ts';
import type { Sample, Slice, SlicePart } from './messages.ts';

class Part {
  readonly latencies = new Latencies();
  answered = 0;
  failed = 0;

  take(): SlicePart {
    const taken = { answered: this.answered, failed: this.failed, latencies: this.latencies.take() };
    this.answered = 0;
    this.failed = 0;
    return taken;
  }
}

/** Counts of one worker between two slices. On the hot path: no formatting, parsing or logging. */
export class Recorder {
  readonly lag = new Latencies();
  sent = 0;
  late = 0;
  unsent = 0;
  refused = 0;
  withheld = 0;
  readonly #parts: readonly Part[];
  #errors = new Map<string, number>();
  #samples: Sample[] = [];
  #failedIds: number[] = [];
  readonly #keepsIds: boolean;

  /** @param keepsIds remember the ids of requests that were not acknowledged, for an audit. */
  constructor(parts: number, keepsIds: boolean) {
    this.#keepsIds = keepsIds;
    this.#parts = Array.from({ length: parts }, () => new Part());
  }

  /** Counts an accepted response. */
  answer(part: number, latencyMs: number): void {
    const counts = this.#parts[part] as Part;
    counts.answered += 1;
    counts.latencies.record(latencyMs);
  }

  /** Counts a request without an accepted response; timeouts have a latency. */
  failure(part: number, kind: string, id: number, latencyMs?: number): void {
    const counts = this.#parts[part] as Part;
    counts.failed += 1;
    if (latencyMs !== undefined) counts.latencies.record(latencyMs);
    this.#errors.set(kind, (this.#errors.get(kind) ?? 0) + 1);
    this.unknown(id);
  }

  /** Counts a request that was refused because its token had ended. */
  refusal(id: number): void {
    this.refused += 1;
    this.unknown(id);
  }

  /** Notes a request that may or may not have been processed. */
  unknown(id: number): void {
    if (this.#keepsIds) this.#failedIds.push(id);
  }

  sample(sample: Sample): void {
    this.#samples.push(sample);
  }

  /** Everything since the last call. */
  take(rest: Pick<Slice, 'index' | 'spanMs' | 'from' | 'to' | 'inFlight' | 'backlog' | 'connections' | 'busy'>): Slice {
    const slice: Slice = {
      ...rest,
      sent: this.sent,
      late: this.late,
      unsent: this.unsent,
      refused: this.refused,
      withheld: this.withheld,
      errors: [...this.#errors],
      samples: this.#samples,
      failedIds: this.#failedIds,
      lag: this.lag.take(),
      parts: this.#parts.map((part) => part.take()),
    };
    this.sent = this.late = this.unsent = this.refused = this.withheld = 0;
    this.#errors = new Map();
    this.#samples = [];
    this.#failedIds = [];
    return slice;
  }
}

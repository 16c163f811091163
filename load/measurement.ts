import type { LoadFigures } from '../spec/index.ts';
import type { Slice } from './engines/messages.ts';
import { LatencyHistogram } from './histogram.ts';

/** Counts over a period. */
export class Totals {
  answered = 0;
  failed = 0;
  unsent = 0;
  /** Answered with 401 because the token had ended; neither answered nor failed. */
  refused = 0;
  late = 0;
  /** Duration, without the drain phase at the end. */
  spanMs = 0;
  /** Accepted responses within that time. */
  inTime = 0;
  readonly latencies = new LatencyHistogram();
  readonly errors: Record<string, number> = {};

  get requests(): number {
    return this.answered + this.failed;
  }

  merge(other: Totals): void {
    this.answered += other.answered;
    this.failed += other.failed;
    this.late += other.late;
    this.unsent += other.unsent;
    this.refused += other.refused;
    this.spanMs += other.spanMs;
    this.inTime += other.inTime;
    this.latencies.merge(other.latencies);
    for (const [kind, count] of Object.entries(other.errors)) this.errors[kind] = (this.errors[kind] ?? 0) + count;
  }

  /** Accepted responses per second. */
  get rate(): number {
    return this.spanMs === 0 ? 0 : (this.inTime * 1000) / this.spanMs;
  }

  get errorShare(): number {
    return this.requests === 0 ? 0 : this.failed / this.requests;
  }
}

/** Totals as the records show them. */
export function figuresOf(totals: Totals): LoadFigures {
  return { requests: totals.requests, rate: totals.rate, errors: totals.errors, latencyMs: totals.latencies.latency() };
}

/** What is kept of each slice, over all workers; a soak run has thousands. */
export interface SliceSummary {
  readonly index: number;
  readonly answered: number;
  readonly failed: number;
  readonly sent: number;
  readonly inFlight: number;
  readonly backlog: number;
  readonly connections: number;
  /** Of the busiest worker. */
  readonly busy: number;
  /** Milliseconds; 0 if nothing was recorded. */
  readonly p50: number;
  readonly p99: number;
  /** The schedule has ended; only requests in flight are awaited. */
  readonly draining: boolean;
}

/** A slice with all its latencies. */
export interface SliceView extends SliceSummary {
  readonly latencies: LatencyHistogram;
}

/** One part of the traffic, after the warm-up. */
export interface PartTotals {
  readonly label: string;
  answered: number;
  failed: number;
  readonly latencies: LatencyHistogram;
  /** p50 in milliseconds of each slice, for comparing parts. */
  readonly medians: number[];
}

export interface MeasurementOptions {
  readonly sliceMs: number;
  readonly warmupMs: number;
  readonly durationMs: number;
  readonly parts: readonly string[];
}

const sum = (slices: readonly Slice[], pick: (slice: Slice) => number): number =>
  slices.reduce((total, slice) => total + pick(slice), 0);

/** Sums the slices of all workers: the whole run, the time after the warm-up, and each part. */
export class Measurement {
  readonly whole = new Totals();
  readonly steady = new Totals();
  readonly parts: readonly PartTotals[];
  /** Generator lag after the warm-up. */
  readonly lag = new LatencyHistogram();
  readonly busy: number[] = [];
  readonly views: SliceSummary[] = [];
  readonly #options: MeasurementOptions;

  constructor(options: MeasurementOptions) {
    this.#options = options;
    this.parts = options.parts.map((label) => ({
      label,
      answered: 0,
      failed: 0,
      latencies: new LatencyHistogram(),
      medians: [],
    }));
  }

  add(index: number, slices: readonly Slice[]): SliceView {
    const { sliceMs, warmupMs, durationMs } = this.#options;
    const from = index * sliceMs;
    const draining = from >= durationMs;
    const latencies = new LatencyHistogram();
    for (const slice of slices) for (const part of slice.parts) latencies.add(part.latencies);
    const spanMs = draining ? 0 : Math.max(...slices.map((slice) => slice.spanMs));
    this.#addTo(this.whole, slices, latencies, spanMs);
    if (from >= warmupMs) {
      this.#addTo(this.steady, slices, latencies, spanMs);
      this.#addParts(slices);
      for (const slice of slices) this.lag.add(slice.lag);
    }
    const summary = this.#summary(index, slices, latencies, draining);
    if (!draining) this.busy.push(summary.busy);
    this.views.push(summary);
    return { ...summary, latencies };
  }

  /** Adds another measurement of the same traffic. */
  merge(other: Measurement): void {
    this.whole.merge(other.whole);
    this.steady.merge(other.steady);
    this.lag.merge(other.lag);
    this.busy.push(...other.busy);
    this.parts.forEach((part, index) => {
      const more = other.parts[index];
      if (more === undefined) return;
      part.answered += more.answered;
      part.failed += more.failed;
      part.latencies.merge(more.latencies);
    });
  }

  #summary(index: number, slices: readonly Slice[], latencies: LatencyHistogram, draining: boolean): SliceSummary {
    const parts = slices.flatMap((slice) => slice.parts);
    return {
      index,
      draining,
      p50: latencies.percentile(50),
      p99: latencies.percentile(99),
      answered: parts.reduce((total, part) => total + part.answered, 0),
      failed: parts.reduce((total, part) => total + part.failed, 0),
      sent: sum(slices, (slice) => slice.sent),
      inFlight: sum(slices, (slice) => slice.inFlight),
      backlog: sum(slices, (slice) => slice.backlog),
      connections: sum(slices, (slice) => slice.connections),
      busy: Math.max(...slices.map((slice) => slice.busy)),
    };
  }

  #addTo(totals: Totals, slices: readonly Slice[], latencies: LatencyHistogram, spanMs: number): void {
    totals.spanMs += spanMs;
    totals.latencies.merge(latencies);
    for (const slice of slices) {
      for (const part of slice.parts) {
        totals.answered += part.answered;
        totals.failed += part.failed;
        if (spanMs > 0) totals.inTime += part.answered;
      }
      totals.unsent += slice.unsent;
      totals.refused += slice.refused;
      totals.late += slice.late;
      for (const [kind, count] of slice.errors) totals.errors[kind] = (totals.errors[kind] ?? 0) + count;
    }
  }

  #addParts(slices: readonly Slice[]): void {
    this.parts.forEach((part, index) => {
      const now = new LatencyHistogram();
      for (const slice of slices) {
        const of = slice.parts[index];
        if (!of) continue;
        part.answered += of.answered;
        part.failed += of.failed;
        now.add(of.latencies);
      }
      part.latencies.merge(now);
      if (now.count > 0) part.medians.push(now.percentile(50));
    });
  }
}

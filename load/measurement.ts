import type { Latency, LoadFigures } from '../spec/index.ts';
import type { Slice, SlicePart } from './engines/messages.ts';
import { groupBy } from '../spec/group-by.ts';
import type { FlowCounts } from './flow/job.ts';
import { FlowTotals } from './flow/totals.ts';
import { LatencyHistogram } from './histogram.ts';
import { SLICE_MS } from './plan.ts';
import { PartTotals, Tally } from './tally.ts';

/** Counts of slices that add up. */
const COUNTS = ['sent', 'unsent', 'refused', 'late'] as const;

/** What is counted in a scenario as a whole, and in each of its parts. */
export class Totals extends Tally {
  unsent = 0;
  /** Answered with 401 because the token had expired: neither answered nor failed. */
  refused = 0;
  late = 0;
  /** Requests that were sent, with those that received no response. */
  sent = 0;
  /** Accepted responses by operation; 0 for one that had none. */
  readonly served = new Map<string, number>();
  /** Duration, without the drain phase at the end. */
  spanMs = 0;
  readonly flow = new FlowTotals();

  addSlices(slices: readonly Slice[], spanMs: number, draining: boolean): void {
    this.spanMs += spanMs;
    for (const slice of slices) {
      for (const part of slice.parts) {
        this.add(part, draining);
        this.#serve(part.named ?? part.operation, part.answered);
      }
      for (const name of COUNTS) this[name] += slice[name];
    }
    this.flow.add(slices.flatMap(({ flow = [] }) => flow));
  }

  mergeTotals(other: Totals): void {
    this.merge(other);
    for (const name of [...COUNTS, 'spanMs'] as const) this[name] += other[name];
    for (const [operation, amount] of other.served) this.#serve(operation, amount);
    this.flow.merge(other.flow);
  }

  #serve(operation: string, amount: number): void {
    this.served.set(operation, (this.served.get(operation) ?? 0) + amount);
  }

  get all(): LoadFigures {
    return this.figures(this.spanMs);
  }

  /** Accepted responses per second. */
  get rate(): number {
    return this.rateOver(this.spanMs);
  }
}

/** The figures that are kept of each slice of all workers: a soak run has thousands. */
export interface SliceSummary
  extends
    Pick<Slice, 'index' | 'spanMs' | 'sent' | 'inFlight' | 'backlog' | 'connections' | 'busy'>,
    Pick<Latency, 'p50' | 'p99'> {
  readonly answered: number;
  readonly failed: number;
  /** The schedule has ended; only requests in flight are awaited. */
  readonly draining: boolean;
}

export interface SliceView extends SliceSummary {
  readonly latencies: LatencyHistogram;
  /** The parts of all workers. */
  readonly parts: readonly SlicePart[];
  readonly flow: readonly FlowCounts[];
}

export interface MeasurementOptions {
  readonly warmupMs: number;
  readonly durationMs: number;
}

const sum = (slices: readonly Slice[], pick: (slice: Slice) => number): number =>
  slices.reduce((total, slice) => total + pick(slice), 0);

/** Sums the slices of all workers: the whole run, the time after the warm-up, and each part. */
export class Measurement {
  readonly whole = new Totals();
  readonly steady = new Totals();
  /** Generator lag after the warm-up. */
  readonly lag = new LatencyHistogram();
  readonly busy: number[] = [];
  /** The largest generator lag of each slice after the warm-up. */
  readonly lags: number[] = [];
  readonly views: SliceSummary[] = [];
  readonly #options: MeasurementOptions;
  readonly #parts = new Map<string, PartTotals>();
  /** End of the slices so far, in milliseconds from the start. */
  #end = -Infinity;

  constructor(options: MeasurementOptions) {
    this.#options = options;
  }

  get parts(): readonly PartTotals[] {
    return [...this.#parts.values()];
  }

  add(index: number, slices: readonly Slice[]): SliceView {
    const { warmupMs, durationMs } = this.#options;
    const from = index * SLICE_MS;
    const draining = from >= durationMs;
    const latencies = new LatencyHistogram();
    for (const slice of slices) for (const part of slice.parts) latencies.add(part.latencies);
    const spanMs = draining ? 0 : this.#spanTo(from, from + Math.max(...slices.map((slice) => slice.spanMs)));
    const parts = slices.flatMap((slice) => slice.parts);
    this.whole.addSlices(slices, spanMs, draining);
    if (from >= warmupMs) {
      this.steady.addSlices(slices, spanMs, draining);
      for (const [label, own] of groupBy(parts, ({ part }) => part)) this.#part(label).addSlice(own, draining);
      const lag = new LatencyHistogram();
      for (const slice of slices) lag.add(slice.lag);
      this.lags.push(lag.percentile(100));
      this.lag.merge(lag);
    }
    const summary = this.#summary(index, slices, latencies, draining);
    if (!draining) this.busy.push(summary.busy);
    this.views.push(summary);
    return { ...summary, latencies, parts, flow: slices.flatMap(({ flow = [] }) => flow) };
  }

  /** The time that slices add. Workers end a slice at slightly different times: it counts from the end of the last one. */
  #spanTo(from: number, end: number): number {
    const start = from - this.#end < SLICE_MS ? this.#end : from;
    this.#end = Math.max(start, end);
    return this.#end - start;
  }

  /** Adds a slice that came after `add` was called with its index. */
  addLate(index: number, slice: Slice): void {
    const { warmupMs, durationMs } = this.#options;
    const draining = index * SLICE_MS >= durationMs;
    this.whole.addSlices([slice], 0, draining);
    if (index * SLICE_MS < warmupMs) return;
    this.steady.addSlices([slice], 0, draining);
    for (const part of slice.parts) this.#part(part.part).addLate(part, draining);
    this.lag.add(slice.lag);
  }

  /** Adds another measurement of the same traffic. */
  merge(other: Measurement): void {
    this.whole.mergeTotals(other.whole);
    this.steady.mergeTotals(other.steady);
    this.lag.merge(other.lag);
    this.busy.push(...other.busy);
    this.lags.push(...other.lags);
    for (const part of other.parts) this.#part(part.label).mergePart(part);
  }

  #part(label: string): PartTotals {
    const known = this.#parts.get(label) ?? new PartTotals(label);
    this.#parts.set(label, known);
    return known;
  }

  #summary(index: number, slices: readonly Slice[], latencies: LatencyHistogram, draining: boolean): SliceSummary {
    const parts = slices.flatMap((slice) => slice.parts);
    return {
      index,
      draining,
      spanMs: Math.max(...slices.map((slice) => slice.spanMs)),
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
}

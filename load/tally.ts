import type { LoadFigures } from '../spec/index.ts';
import type { SlicePart } from './engines/messages.ts';
import { LatencyHistogram } from './histogram.ts';

function addTo(counts: Record<string, number>, more: Iterable<readonly [name: string | number, count: number]>): void {
  for (const [name, count] of more) counts[name] = (counts[name] ?? 0) + count;
}

/** Accepted responses, failures and latencies of some requests. */
export class Tally {
  answered = 0;
  failed = 0;
  /** Accepted responses before the drain phase at the end. */
  inTime = 0;
  readonly latencies = new LatencyHistogram();
  /** Accepted statuses. */
  readonly statuses: Record<string, number> = {};
  /** Other statuses and kinds of failure. */
  readonly errors: Record<string, number> = {};

  get requests(): number {
    return this.answered + this.failed;
  }

  get errorShare(): number {
    return this.requests === 0 ? 0 : this.failed / this.requests;
  }

  add(slice: Omit<SlicePart, 'part' | 'operation'>, isDraining = false): void {
    this.answered += slice.answered;
    this.failed += slice.failed;
    if (!isDraining) this.inTime += slice.answered;
    this.latencies.add(slice.latencies);
    addTo(this.statuses, slice.statuses);
    addTo(this.errors, slice.errors);
  }

  merge(other: Tally): void {
    this.answered += other.answered;
    this.failed += other.failed;
    this.inTime += other.inTime;
    this.latencies.merge(other.latencies);
    addTo(this.statuses, Object.entries(other.statuses));
    addTo(this.errors, Object.entries(other.errors));
  }

  /** Accepted responses per second over a time. */
  rateOver(spanMs: number): number {
    return spanMs === 0 ? 0 : (this.inTime * 1000) / spanMs;
  }

  /** The figures for the records. @param spanMs the time that the rate refers to */
  figures(spanMs: number): LoadFigures {
    const { requests, statuses, errors, latencies } = this;
    return { requests, rate: this.rateOver(spanMs), statuses, errors, latencyMs: latencies.latency() };
  }
}

export class PartTotals extends Tally {
  readonly label: string;
  readonly operations = new Map<string, Tally>();
  /** p50 of each slice in milliseconds, for the comparison of parts. */
  readonly medians: number[] = [];

  constructor(label: string) {
    super();
    this.label = label;
  }

  /** Adds the counts of all workers in one slice. */
  addSlice(slices: readonly SlicePart[], isDraining: boolean): void {
    const now = new LatencyHistogram();
    for (const slice of slices) {
      this.addLate(slice, isDraining);
      now.add(slice.latencies);
    }
    if (now.count > 0) this.medians.push(now.percentile(50));
  }

  /** Adds counts of a slice that was already added. */
  addLate(slice: SlicePart, isDraining: boolean): void {
    this.add(slice, isDraining);
    this.#operation(slice.operation).add(slice, isDraining);
  }

  mergePart(other: PartTotals): void {
    this.merge(other);
    this.medians.push(...other.medians);
    for (const [name, tally] of other.operations) this.#operation(name).merge(tally);
  }

  #operation(name: string): Tally {
    const known = this.operations.get(name) ?? new Tally();
    this.operations.set(name, known);
    return known;
  }
}

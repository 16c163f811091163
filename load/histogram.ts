import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import type { Latency } from '../spec/index.ts';
import { HIGHEST_US, valueOf } from './engines/latencies.ts';

const FIRST_SIZE = 4096;

/**
 * Latencies with the buckets and percentiles of HdrHistogram (three significant digits of microseconds). hdr-histogram-js adds
 * too slowly for the reports of a thousand agents. Counts may be above 2^32.
 */
export class LatencyHistogram {
  #counts = new Float64Array(FIRST_SIZE);
  /** One more than the highest index with a count. */
  #used = 0;
  #total = 0;

  /** @param pairs buckets and counts, alternating */
  add(pairs: Float64Array): this {
    for (let at = 0; at + 1 < pairs.length; at += 2) this.#addAt(pairs[at] as number, pairs[at + 1] as number);
    return this;
  }

  merge(other: LatencyHistogram): this {
    const counts = other.#counts;
    for (let index = 0; index < other.#used; index += 1) {
      const count = counts[index] as number;
      if (count > 0) this.#addAt(index, count);
    }
    return this;
  }

  get count(): number {
    return this.#total;
  }

  get meanMs(): number {
    if (this.#total === 0) return 0;
    let sum = 0;
    for (let index = 0; index < this.#used; index += 1) {
      const middle = valueOf(index) + Math.floor((valueOf(index + 1) - valueOf(index)) / 2);
      sum += middle * (this.#counts[index] as number);
    }
    return sum / this.#total / 1000;
  }

  /** In milliseconds, as the highest value of the bucket; 0 if nothing was recorded. @param percent 0 to 100 */
  percentile(percent: number): number {
    const exact = (percent / 100) * this.#total;
    const wanted = Math.max(1, Math.ceil(exact - exact * Number.EPSILON));
    let reached = 0;
    for (let index = 0; index < this.#used; index += 1) {
      reached += this.#counts[index] as number;
      if (reached >= wanted) return (valueOf(index + 1) - 1) / 1000;
    }
    return 0;
  }

  latency(): Latency {
    const at = (percent: number): number => this.percentile(percent);
    return { p50: at(50), p90: at(90), p95: at(95), p99: at(99), p99_9: at(99.9), max: at(100) };
  }

  /** The compressed format of HdrHistogram in base 64, with values in microseconds. */
  base64(): string {
    const histogram = build({
      lowestDiscernibleValue: 1,
      highestTrackableValue: HIGHEST_US,
      numberOfSignificantValueDigits: 3,
      autoResize: false,
      bitBucketSize: 64,
    });
    for (let index = 0; index < this.#used; index += 1) {
      const count = this.#counts[index] as number;
      if (count > 0) histogram.recordValueWithCount(valueOf(index), count);
    }
    return encodeIntoCompressedBase64(histogram);
  }

  #addAt(index: number, count: number): void {
    if (index >= this.#counts.length) this.#grow(index);
    this.#counts[index] = (this.#counts[index] as number) + count;
    this.#total += count;
    if (index >= this.#used) this.#used = index + 1;
  }

  #grow(index: number): void {
    const counts = new Float64Array(2 * index);
    counts.set(this.#counts);
    this.#counts = counts;
  }
}

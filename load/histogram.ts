import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import type { Histogram } from 'hdr-histogram-js';
import type { Latency } from '../spec/index.ts';
import { HIGHEST_US } from './engines/latencies.ts';

/** Latencies in microseconds with three significant digits. */
export class LatencyHistogram {
  readonly #histogram: Histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: 3,
    autoResize: false,
    bitBucketSize: 32,
  });

  /** @param pairs values in microseconds and counts, alternating. */
  add(pairs: Float64Array): this {
    for (let at = 0; at + 1 < pairs.length; at += 2)
      this.#histogram.recordValueWithCount(pairs[at] as number, pairs[at + 1] as number);
    return this;
  }

  merge(other: LatencyHistogram): this {
    this.#histogram.add(other.#histogram);
    return this;
  }

  get count(): number {
    return this.#histogram.totalCount;
  }

  get meanMs(): number {
    return this.count === 0 ? 0 : this.#histogram.mean / 1000;
  }

  /** In milliseconds; 0 if nothing was recorded. */
  percentile(percent: number): number {
    return this.count === 0 ? 0 : this.#histogram.getValueAtPercentile(percent) / 1000;
  }

  latency(): Latency {
    const at = (percent: number): number => this.percentile(percent);
    return { p50: at(50), p90: at(90), p95: at(95), p99: at(99), p99_9: at(99.9), max: at(100) };
  }

  /** HdrHistogram's compressed form in base 64, values in microseconds. */
  base64(): string {
    return encodeIntoCompressedBase64(this.#histogram);
  }
}

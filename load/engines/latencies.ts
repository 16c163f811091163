/** The buckets of HdrHistogram with three significant digits, so that counts can be added exactly. */
const HALF_BITS = 10;
const MASK = (1 << (HALF_BITS + 1)) - 1;
/** Higher latencies count as this one. */
export const HIGHEST_US = 2 ** 31 - 1;

/** The bucket of a latency. */
export function indexOf(microseconds: number): number {
  const shift = 31 - HALF_BITS - Math.clz32(microseconds | MASK);
  return (shift << HALF_BITS) + (microseconds >> shift);
}

/** The lowest value of a bucket. */
export function valueOf(index: number): number {
  const shift = Math.max(0, (index >> HALF_BITS) - 1);
  return (index - (shift << HALF_BITS)) * (1 << shift);
}

export const BUCKETS = indexOf(HIGHEST_US) + 1;

/** Sum and count of recorded latencies, each as the lowest value of its bucket. */
export function sumOf(pairs: Float64Array): { readonly ms: number; readonly count: number } {
  let [us, count] = [0, 0];
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    us += valueOf(pairs[at] as number) * (pairs[at + 1] as number);
    count += pairs[at + 1] as number;
  }
  return { ms: us / 1000, count };
}

/** Pairs of a latency in microseconds, the middle of its bucket, and its count, from pairs of bucket and count. */
export function inMicroseconds(pairs: Float64Array): Float64Array {
  return pairs.map((value, at) => (at % 2 === 1 ? value : (valueOf(value) + valueOf(value + 1) - 1) / 2));
}

/** Counts of latencies; recording costs one increment. */
export class Latencies {
  readonly #counts = new Uint32Array(BUCKETS);
  #used = 0;

  record(milliseconds: number): void {
    const microseconds = milliseconds * 1000;
    const index = indexOf(microseconds >= HIGHEST_US ? HIGHEST_US : microseconds);
    const counts = this.#counts;
    counts[index] = (counts[index] as number) + 1;
    if (index >= this.#used) this.#used = index + 1;
  }

  /** Buckets ({@link indexOf}) and counts since the last call, alternating, in the order of the buckets. */
  take(): Float64Array {
    const pairs: number[] = [];
    for (let index = 0; index < this.#used; index += 1) {
      const count = this.#counts[index] as number;
      if (count > 0) pairs.push(index, count);
    }
    this.#counts.fill(0, 0, this.#used);
    this.#used = 0;
    return Float64Array.from(pairs);
  }
}

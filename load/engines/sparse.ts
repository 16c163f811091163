import { BUCKETS, indexOf, valueOf } from './latencies.ts';

/**
 * Latency counts as they travel: for each bucket the step from the one before and the count, as numbers of 7 bits a byte.
 * The layout of buckets is the same everywhere, so that sums of counts are those of one machine.
 */
export function packLatencies(pairs: Float64Array): string {
  const bytes: number[] = [];
  const write = (given: number): void => {
    let rest = given;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  let last = 0;
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const index = indexOf(pairs[at] as number);
    write(index - last);
    write(pairs[at + 1] as number);
    last = index;
  }
  return Buffer.from(bytes).toString('base64');
}

/** Longest text that is read: two numbers a bucket, of at most eight bytes each. */
const bytes = Buffer.alloc(2 * 8 * BUCKETS);
const scratch = new Float64Array(2 * BUCKETS);

/** Pairs of microseconds and count; what is no such text gives none. */
export function unpackLatencies(text: string): Float64Array {
  const end = bytes.write(text, 'base64');
  let [index, length, value, factor] = [0, 0, 0, 1];
  for (let at = 0; at < end && length < scratch.length; at += 1) {
    const byte = bytes[at] as number;
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    const isStep = length % 2 === 0;
    if (isStep) index += value;
    scratch[length] = isStep ? valueOf(index) : value;
    length += 1;
    value = 0;
    factor = 1;
  }
  return scratch.slice(0, length - (length % 2));
}

import { BUCKETS } from './latencies.ts';

const NIBBLE = 15;
/** Two variable-length integers follow. */
const ESCAPE = 0;

/**
 * Latency counts as text in base 64: for each bucket its distance from the one before and its count. Most are small and
 * share one byte, four bits each; others follow a byte of 0 as variable-length integers of 7 bits per byte.
 */
export function packLatencies(pairs: Float64Array): string {
  const packed: number[] = [];
  const write = (given: number): void => {
    let rest = given;
    for (; rest >= 128; rest = Math.floor(rest / 128)) packed.push((rest % 128) + 128);
    packed.push(rest);
  };
  let last = 0;
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [distance, count] = [(pairs[at] as number) - last, pairs[at + 1] as number];
    if (distance <= NIBBLE && count <= NIBBLE) packed.push(distance * 16 + count);
    else {
      packed.push(ESCAPE);
      write(distance);
      write(count);
    }
    last += distance;
  }
  return Buffer.from(packed).toString('base64');
}

/** Buffer for the longest text: a byte and two numbers of at most eight bytes per bucket. */
const bytes = Buffer.alloc((1 + 2 * 8) * BUCKETS);
let position = 0;

function readNumber(end: number): number {
  let value = 0;
  for (let factor = 1; position < end; factor *= 128) {
    const byte = bytes[position] as number;
    position += 1;
    value += (byte & 127) * factor;
    if (byte < 128) break;
  }
  return value;
}

/**
 * Adds counts of {@link packLatencies} to sums by bucket, without copies: a thousand agents send millions of them per second.
 * Invalid text is added up to its first error.
 *
 * @param sums of `BUCKETS` buckets
 * @returns one more than the highest bucket of the text
 */
export function addPacked(text: string, sums: Float64Array): number {
  const end = bytes.write(text, 'base64');
  let bucket = 0;
  let at = 0;
  while (at < end) {
    const byte = bytes[at] as number;
    at += 1;
    let count = byte & NIBBLE;
    if (byte === ESCAPE) {
      position = at;
      bucket += readNumber(end);
      count = readNumber(end);
      at = position;
    } else bucket += byte >> 4;
    if (bucket >= BUCKETS) return BUCKETS;
    sums[bucket] = (sums[bucket] as number) + count;
  }
  return bucket + 1;
}

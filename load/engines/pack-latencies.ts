import { BUCKETS } from './latencies.ts';

/**
 * Latency counts as text: for each bucket its distance from the one before and its count, as variable-length integers of
 * 7 bits per byte, in base 64.
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
    const bucket = pairs[at] as number;
    write(bucket - last);
    write(pairs[at + 1] as number);
    last = bucket;
  }
  return Buffer.from(packed).toString('base64');
}

/** Buffer for the longest text: two numbers of at most eight bytes per bucket. */
const bytes = Buffer.alloc(2 * 8 * BUCKETS);
const scratch = new Float64Array(2 * BUCKETS);
let position = 0;

/** Reads the other bytes of a number. */
function readRest(first: number, end: number): number {
  let value = first - 128;
  for (let factor = 128; position < end; factor *= 128) {
    const byte = bytes[position] as number;
    position += 1;
    value += (byte & 127) * factor;
    if (byte < 128) break;
  }
  return value;
}

/** Buckets and counts, alternating; empty for invalid text. */
export function unpackLatencies(text: string): Float64Array {
  const end = bytes.write(text, 'base64');
  let [bucket, length] = [0, 0];
  position = 0;
  // Most numbers have one byte: a thousand agents send millions of them per second.
  while (position + 1 < end) {
    const step = bytes[position] as number;
    position += 1;
    bucket += step < 128 ? step : readRest(step, end);
    if (bucket >= BUCKETS) break;
    const count = bytes[position] as number;
    position += 1;
    scratch[length] = bucket;
    scratch[length + 1] = count < 128 ? count : readRest(count, end);
    length += 2;
  }
  return scratch.slice(0, length);
}

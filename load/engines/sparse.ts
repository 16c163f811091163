import { indexOf, valueOf } from './latencies.ts';

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

/** Pairs of microseconds and count; what is no such text gives none. */
export function unpackLatencies(text: string): Float64Array {
  const bytes = Buffer.from(text, 'base64');
  const pairs: number[] = [];
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at] as number;
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  let index = 0;
  while (at < bytes.length) {
    index += read();
    pairs.push(valueOf(index), read());
  }
  return Float64Array.from(pairs);
}

import { describe, expect, it } from 'vitest';
import { BUCKETS, Latencies } from './latencies.ts';
import { addPacked, packLatencies } from './pack-latencies.ts';
import { seededRandom } from './schedule.ts';

function unpack(text: string): { readonly pairs: readonly number[]; readonly used: number } {
  const sums = new Float64Array(BUCKETS);
  const used = addPacked(text, sums);
  return { pairs: [...sums].flatMap((count, bucket) => (count === 0 ? [] : [bucket, count])), used };
}

describe('latencies on their way', () => {
  it('arrive to the count, whatever their range', () => {
    const random = seededRandom(7);
    const latencies = new Latencies();
    for (let count = 0; count < 20_000; count += 1) latencies.record(10 ** (random() * 9 - 3));
    const pairs = latencies.take();
    expect(unpack(packLatencies(pairs))).toEqual({ pairs: [...pairs], used: (pairs.at(-2) ?? 0) + 1 });
    expect(pairs.length).toBeGreaterThan(5_000);
  });

  it('arrive with counts and distances beside the limits of each form, above 2^32 too', () => {
    const pairs = [0, 1, 15, 15, 30, 16, 46, 1, 61, 127, 62, 128, 190, 2 ** 40, BUCKETS - 1, 3];
    expect(unpack(packLatencies(Float64Array.from(pairs)))).toEqual({ pairs, used: BUCKETS });
  });

  it('that no agent packs are added to no bucket beyond the last one', () => {
    const forged = Buffer.from([0x11, 0, ...Array.from({ length: 12 }, () => 255), 1, 1]).toString('base64');
    expect(unpack(forged).pairs).toEqual([1, 1]);
  });

  it('may be none', () => {
    expect(unpack(packLatencies(new Float64Array())).pairs).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { Latencies } from './latencies.ts';
import { seededRandom } from './schedule.ts';
import { packLatencies, unpackLatencies } from './pack-latencies.ts';

describe('latencies on their way', () => {
  it('arrive to the count, whatever their range', () => {
    const random = seededRandom(7);
    const latencies = new Latencies();
    for (let count = 0; count < 20_000; count += 1) latencies.record(10 ** (random() * 9 - 3));
    const pairs = latencies.take();
    expect([...unpackLatencies(packLatencies(pairs))]).toEqual([...pairs]);
    expect(pairs.length).toBeGreaterThan(5_000);
  });

  it('that no agent packs leave no bucket beyond the last one', () => {
    const forged = Buffer.from([1, 1, ...Array.from({ length: 12 }, () => 255), 1, 1]).toString('base64');
    expect([...unpackLatencies(forged)]).toEqual([1, 1]);
  });

  it('may be none', () => {
    expect([...unpackLatencies(packLatencies(new Float64Array()))]).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import type { ThroughputPhase } from '../../spec/index.ts';
import { encodeTraffic } from '../encode-traffic.ts';
import type { LatencyHistogram } from '../histogram.ts';
import { engineSettingsOf } from '../plan.ts';
import { startKnownTarget } from '../testing/known-target.ts';
import type { TakenStep } from './record.ts';
import { awaitRecovery, isFragile, isStuck } from './recovery.ts';
import type { Recovery } from './recovery.ts';

const busy = (rate: number, p50: number): ThroughputPhase =>
  ({ rate, latencyMs: { p50 } }) as unknown as ThroughputPhase;

function heldAt(rate: number, ms: number): TakenStep {
  const latencies = { percentile: () => ms } as unknown as LatencyHistogram;
  return {
    rate,
    kind: 'probe',
    step: { held: true, trial: { measurement: { steady: { latencies } } } },
  } as unknown as TakenStep;
}

/** Waits for a target that takes `idleMs` for a request and has so many of them in its queue. */
async function recoveryOf(queued: number, limitMs: number, idleMs = 10): Promise<Recovery | undefined> {
  const target = await startKnownTarget({ queue: { servers: 1, serviceMs: idleMs } });
  const { baseUrl } = target;
  const traffic = encodeTraffic(
    { requests: [{ operation: 'POST /', form: '', method: 'POST', path: '/', body: Buffer.from('{}') }] },
    { baseUrl },
    'run',
  );
  const queue = Array.from({ length: queued }, () => fetch(baseUrl, { method: 'POST', body: '{}' }));
  try {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const settings = engineSettingsOf({});
    const signal = new AbortController().signal;
    return await awaitRecovery({
      target: { baseUrl },
      traffic,
      settings,
      signal,
      firstId: 7,
      taken: [heldAt(100, 10)],
      limitMs,
    });
  } finally {
    await target.close();
    await Promise.allSettled(queue);
  }
}

it.concurrent('waits until the queue of an overload is served', async () => {
  const recovery = await recoveryOf(120, 20_000);
  expect(recovery).toMatchObject({ isStuck: false });
  expect(recovery?.tookMs).toBeGreaterThan(700);
  expect(recovery?.trials[0]?.nextIds).toEqual([8]);
});

it.concurrent('does not wait for ever', async () => {
  const recovery = await recoveryOf(1000, 1000);
  expect(recovery).toMatchObject({ isStuck: true });
  expect(isStuck(recovery ? [recovery] : [])).toBe(true);
});

it.concurrent('takes a target that is always slower when it is idle for recovered', async () => {
  expect(await recoveryOf(0, 20_000, 400)).toMatchObject({ isStuck: false });
});

it('a target is fragile if it handles far more than it answers when every connection is busy', () => {
  expect(isFragile([heldAt(100, 10)], [], busy(40, 1200))).toBe(true);
  expect(isFragile([heldAt(100, 10)], [], busy(95, 500))).toBe(false);
  // Slow on its own: more connections would give a higher rate.
  expect(isFragile([heldAt(100, 1000)], [], busy(40, 1200))).toBe(false);
  expect(isFragile([heldAt(100, 10)], [{ tookMs: 9000, isStuck: false, trials: [] }], undefined)).toBe(true);
  expect(isFragile([], [], undefined)).toBe(false);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OTHER_SELF_SIGNED, SELF_SIGNED } from '../../client/testing/self-signed.ts';
import { startKnownTarget } from '../testing/known-target.ts';
import type { Behaviour, Seen } from '../testing/known-target.ts';
import { PLAIN_TRIAL, steadily, testTraffic } from '../testing/traffic.ts';
import { runTrial } from '../trial.ts';
import type { LoadTarget } from '../target.ts';
import type { Trial } from '../trial.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

/** A run lasts until it has so many outcomes: on a busy machine autocannon takes a while to start. */
const ENOUGH = 20;
const LONG_MS = 20_000;

function trusted(): Partial<LoadTarget> {
  const ca = join(emptyDirectory(), 'ca.pem');
  writeFileSync(ca, SELF_SIGNED.cert);
  return { ca };
}

async function run(
  model: 'open' | 'closed',
  trust: Partial<LoadTarget>,
  behaviour: Behaviour = {},
): Promise<Trial & { readonly seen: Seen }> {
  const target = await startKnownTarget({ tls: SELF_SIGNED, ...behaviour });
  try {
    const trial = await runTrial({
      ...PLAIN_TRIAL,
      target: { baseUrl: target.baseUrl, ...trust },
      traffic: testTraffic({ port: target.port }),
      model,
      connections: 4,
      maxConnections: 4,
      durationMs: LONG_MS,
      maxRate: 100,
      ...(model === 'open' ? { schedule: steadily(100, LONG_MS) } : {}),
      onSlice: (_, { whole: { answered, errors } }) => (answered >= ENOUGH || errors['tls'] ? 'stop' : 'on'),
    });
    return { ...trial, seen: await target.seen() };
  } finally {
    await target.close();
  }
}

describe.concurrent.each(['open', 'closed'] as const)('HTTPS in the %s model', (model) => {
  it('accepts a trusted certificate', async () => {
    const { measurement } = await run(model, trusted());
    expect(measurement.whole.errors).toEqual({});
    expect(measurement.whole.answered).toBeGreaterThanOrEqual(4);
  });

  it('rejects an untrusted certificate', async () => {
    const { measurement } = await run(model, {});
    expect(measurement.whole.answered).toBe(0);
    expect(measurement.whole.errors['tls']).toBeGreaterThan(0);
  });

  it('accepts an untrusted certificate with insecure', async () => {
    const { measurement } = await run(model, { insecure: true });
    expect(measurement.whole.errors).toEqual({});
    expect(measurement.whole.answered).toBeGreaterThanOrEqual(4);
  });
});

it('the closed model sends nothing to a target whose certificate is another one after the first connection', async () => {
  const { measurement, seen } = await run('closed', trusted(), { laterTls: { after: 1, ...OTHER_SELF_SIGNED } });
  expect(measurement.whole.errors['tls']).toBeGreaterThan(0);
  expect(seen.count).toBe(0);
});

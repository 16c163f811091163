import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OTHER_SELF_SIGNED, SELF_SIGNED } from '../../client/testing/self-signed.ts';
import { runKnown } from '../testing/known-trial.ts';
import type { Behaviour } from '../testing/known-target.ts';
import { steadily } from '../testing/traffic.ts';
import type { LoadTarget } from '../target.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

/** A run lasts until it has so many outcomes: on a busy machine autocannon takes a while to start. */
const ENOUGH = 20;
const LONG_MS = 20_000;

function trusted(): Partial<LoadTarget> {
  const ca = join(emptyDirectory(), 'ca.pem');
  writeFileSync(ca, SELF_SIGNED.cert);
  return { ca };
}

const run = (model: 'open' | 'closed', trust: Partial<LoadTarget>, behaviour: Behaviour = {}) =>
  runKnown(
    { tls: SELF_SIGNED, ...behaviour },
    {
      target: trust,
      model,
      durationMs: LONG_MS,
      maxRate: 100,
      ...(model === 'open' ? { schedule: steadily(100, LONG_MS) } : {}),
      onSlice: (_, { whole: { answered, errors } }) => (answered >= ENOUGH || errors['tls'] ? 'stop' : 'on'),
    },
  );

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

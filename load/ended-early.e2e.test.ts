import { expect, it } from 'vitest';
import { AssayError, EXIT } from '../spec/index.ts';
import type { RunRecord } from '../spec/index.ts';
import { runLoad } from './run.ts';
import { knownOptions, knownScenario } from './testing/known-scenario.ts';
import { startKnownTarget } from './testing/known-target.ts';
import type { TokenRenewal } from './token-renewal.ts';

it('reports its figures where the token is no longer accepted', async () => {
  const renewal: TokenRenewal = {
    current: 'secret',
    renewsAt: undefined,
    get: async () => 'secret',
    explain: async () => 'refused',
    lost: new AssayError('the token is refused', { hint: '', exitCode: EXIT.inconclusive }),
  };
  const target = await startKnownTarget({ fails: { each: 100, status: 401 } });
  const options = knownOptions(target.baseUrl);
  const records: RunRecord[] = [];
  const run = async (): Promise<void> => {
    const all = { ...options, scenarios: [knownScenario()], durationMs: 20_000, rate: 200 };
    for await (const record of runLoad({ ...all, target: { ...options.target, renewal } })) records.push(record);
  };
  await expect(run()).rejects.toBe(renewal.lost);
  await target.close();
  const scenario = records.find((record) => record.type === 'scenario');
  expect(scenario?.detail?.stopped).toBe('token-refused');
  expect(scenario?.detail?.whole.requests).toBeGreaterThanOrEqual(99);
});

it('blames the target for nothing where the throughput phase is interrupted', async () => {
  const stop = new AbortController();
  const target = await startKnownTarget({ queue: { servers: 1, serviceMs: 20 } });
  const records: RunRecord[] = [];
  const options = { ...knownOptions(target.baseUrl), scenarios: [knownScenario()], durationMs: 20_000 };
  for await (const record of runLoad({
    ...options,
    throughputMs: 5000,
    signal: stop.signal,
    onLive: () => stop.abort(),
  }))
    records.push(record);
  await target.close();
  const scenario = records.find((record) => record.type === 'scenario');
  expect(scenario).toMatchObject({ offeredRate: 0, notes: ['interrupted'] });
  expect(scenario?.detail?.throughput).toBeUndefined();
  expect(scenario?.detail?.sent?.throughput).toBeGreaterThan(0);
});

it.each(['open', 'closed'] as const)('counts what is not answered at the maximum duration, %s', async (model) => {
  const target = await startKnownTarget({ silent: true });
  const records: RunRecord[] = [];
  for await (const record of runLoad({
    ...knownOptions(target.baseUrl),
    scenarios: [knownScenario({ rate: 50, throughput: false })],
    model,
    connections: 4,
    maxDurationMs: 500,
    warmupMs: 0,
    timeoutMs: 2000,
  }))
    records.push(record);
  await target.close();
  const scenario = records.find((record) => record.type === 'scenario');
  expect(scenario?.detail?.stopped).toBe('time-limit');
  expect(scenario?.errors['timeout']).toBeGreaterThanOrEqual(4);
  if (model === 'open') expect(scenario?.requests).toBe(25);
  expect(scenario?.latencyMs.max).toBeGreaterThanOrEqual(1999);
});

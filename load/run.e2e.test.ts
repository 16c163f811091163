import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import type { Exchange, RunRecord, ScenarioDetail, ScenarioRecord } from '../spec/index.ts';
import { runLoad } from './run.ts';
import type { LiveSlice } from './live.ts';
import type { LoadOptions } from './options.ts';
import type { ScenarioContext } from './scenarios/index.ts';
import { WRONG_BODY, judgeKnown, knownOptions, knownScenario } from './testing/known-scenario.ts';
import { startKnownTarget } from './testing/known-target.ts';
import type { Behaviour, Seen } from './testing/known-target.ts';
import { emptyDirectory } from '../spec/testing/empty-directory.ts';

async function run(
  behaviour: Behaviour,
  options: Partial<LoadOptions> = {},
  records: RunRecord[] = [],
): Promise<{ records: RunRecord[]; scenario: ScenarioRecord; detail: ScenarioDetail; seen: Seen }> {
  const target = await startKnownTarget(behaviour);
  let seen: Seen;
  try {
    const all = runLoad({
      ...knownOptions(target.baseUrl),
      scenarios: [knownScenario()],
      durationMs: 2000,
      ...(options.throughputMs === undefined && options.model !== 'closed' ? { rate: 200 } : {}),
      ...options,
    });
    for await (const record of all) records.push(record);
    seen = await target.seen();
  } finally {
    await target.close();
  }
  const scenario = records.find((record) => record.type === 'scenario') as ScenarioRecord;
  return { records, scenario, detail: scenario?.detail as ScenarioDetail, seen };
}

describe.concurrent('a load run', () => {
  it('yields a tick per second and a summary', async () => {
    const states: LiveSlice[] = [];
    const { records, scenario, detail } = await run(
      {},
      { thresholds: ['p99<5s', 'errors<1%', 'rate>1', 'p50<0.001'], onLive: (state) => states.push(state) },
    );
    const ticks = records.filter((record) => record.type === 'tick');
    expect(ticks.slice(0, 2).map(({ second, offeredRate }) => [second, offeredRate])).toEqual([
      [0, 200],
      [1, 200],
    ]);
    expect(detail.whole.requests).toBe(400);
    expect(scenario).toMatchObject({ engine: 'open', offeredRate: 200, errors: {}, contractViolations: 0 });
    expect(scenario.thresholds.map(({ held }) => held)).toEqual([true, true, true, false]);
    expect(decodeFromCompressedBase64(scenario.histogram).totalCount).toBe(scenario.requests);
    expect(states[0]).toMatchObject({ scenario: 'known', stage: 'steady', offeredRate: 200 });
    expect(states.at(-1)?.leftMs).toBe(0);
  });

  it('judges a sample of the answers, with the request as it was sent and without the token', async () => {
    const seen: Exchange[] = [];
    const { scenario, detail } = await run(
      { wrongAbove: { inFlight: 1 }, queue: { servers: 4, serviceMs: 15 } },
      {
        thresholds: ['violations==0'],
        judge: (exchange) => {
          seen.push(exchange);
          return judgeKnown(exchange);
        },
      },
    );
    expect(scenario.contractViolations).toBeGreaterThan(0);
    expect(scenario.contractViolations).toBe(detail.violating);
    expect(scenario.findings).toMatchObject([{ fingerprint: 'f1' }]);
    expect(scenario.thresholds[0]?.held).toBe(false);
    expect(seen.length).toBeLessThan(120);
    expect(new Set(seen.map(({ request }) => Buffer.from(request.body ?? []).toString())).size).toBe(seen.length);
    expect(seen[0]).toMatchObject({
      operation: 'POST /',
      request: {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer $ASSAY_TOKEN' },
      },
      response: { status: 200, mediaType: 'application/json' },
    });
  });

  it.each([
    [{ gzip: true }, {}],
    [{ fails: { each: 3, status: 503 } }, { 503: expect.any(Number) }],
  ])('finds no violation in %j', async (behaviour, errors) => {
    const { scenario, detail } = await run(behaviour, {
      thresholds: ['violations==0'],
      judge: (exchange) => (exchange.response?.status === 200 ? judgeKnown(exchange) : [WRONG_BODY]),
    });
    expect(detail.judged).toBeGreaterThan(10);
    expect(scenario).toMatchObject({ errors, contractViolations: 0, thresholds: [{ held: true }] });
  });

  it('stops when most requests fail for three seconds', async () => {
    const { scenario, detail } = await run({ fails: { each: 1, status: 500 } }, { durationMs: 20_000, rate: 50 });
    expect(detail.stopped).toBe('error-storm');
    expect(scenario.errors['500']).toBeLessThan(300);
    expect(scenario.notes).toContain('stopped: most requests failed for three seconds');
  });

  it('stops at once when interrupted, and still reports its figures', async () => {
    const stop = new AbortController();
    const { scenario, detail } = await run(
      {},
      {
        durationMs: 20_000,
        signal: stop.signal,
        onLive: ({ leftMs }) => {
          if (leftMs <= 19_500) stop.abort();
        },
      },
    );
    expect(detail.stopped).toBe('interrupted');
    expect(detail.whole.requests).toBeGreaterThan(0);
    expect(detail.whole.requests).toBeLessThan(1000);
    expect(scenario.notes).toContain('interrupted');
  });

  it('respects the maximum rate and duration', async () => {
    const { scenario, detail } = await run({}, { rate: 5000, durationMs: 60_000, maxRate: 50, maxDurationMs: 1000 });
    expect(scenario.offeredRate).toBe(50);
    expect(detail).toMatchObject({ durationMs: 1000, whole: { requests: 50 } });
    expect(scenario.notes.slice(0, 2)).toEqual([
      'the rate was limited to 50 per second (--max-rate)',
      'the duration was limited to 1 s (--max-duration)',
    ]);
  });

  it('respects the maximum rate in the closed model', async () => {
    const { scenario, detail } = await run({}, { model: 'closed', maxRate: 100, durationMs: 1000 });
    expect(scenario).toMatchObject({ engine: 'closed (autocannon)', offeredRate: 0 });
    expect(detail.whole.requests).toBeLessThanOrEqual(101);
  });

  it('reports parts, audits acknowledged ids, and tears down', async () => {
    const done: string[] = [];
    const scenario = knownScenario({
      async setup() {
        const body = Buffer.from('{"id":"000000000000"}');
        const request = (part: string) => ({
          operation: 'POST /',
          form: '',
          method: 'POST',
          path: '/',
          body,
          fields: [7],
          part,
        });
        return {
          requests: [request('a'), request('b')],
          weights: { a: 3 },
          audit: async (acknowledged) => {
            const ids = [...acknowledged.ids()];
            done.push('audit', ids[0]?.id.length === acknowledged.idWidth ? 'ids' : 'no ids');
            const acked = ids.filter((id) => id.acknowledged).length;
            return {
              acknowledged: acknowledged.count,
              present: acked,
              missing: acknowledged.count - acked,
              duplicated: 0,
              examples: [],
            };
          },
          teardown: async () => void done.push('teardown'),
        };
      },
    });
    const { scenario: record, detail } = await run(
      { fails: { each: 5, status: 500 } },
      { scenarios: [scenario], rate: 100, durationMs: 1000, warmupMs: 0 },
    );
    expect(done).toEqual(['audit', 'ids', 'teardown']);
    expect(detail.audit).toMatchObject({ missing: 0 });
    expect(detail.parts.map(({ label, requests }) => [label, requests])).toEqual([
      ['a', 75],
      ['b', 25],
    ]);
    expect(record.notes.join()).not.toContain('audit:');
  });
});

it.each(['audit', 'teardown'] as const)('reports the figures although the %s fails', async (step) => {
  const records: RunRecord[] = [];
  const known = knownScenario();
  const fails = { [step]: () => Promise.reject(new Error(`no ${step}`)) };
  const scenario = {
    ...known,
    setup: async (context: ScenarioContext) => ({ ...(await known.setup(context)), ...fails }),
  };
  await expect(run({}, { scenarios: [scenario], rate: 50, durationMs: 500 }, records)).rejects.toThrow(`no ${step}`);
  expect(records.at(-1)?.type).toBe('scenario');
});

describe('the throughput phase', () => {
  it('measures throughput first and latency at half of it, every body unique', async () => {
    const stages = new Set<string>();
    const { scenario, detail, seen } = await run(
      { queue: { servers: 4, serviceMs: 40 } },
      { throughputMs: 2500, durationMs: 1000, onLive: ({ stage }) => stages.add(stage) },
    );
    const { throughput } = detail;
    expect(throughput).toMatchObject({ engine: 'autocannon', durationMs: 2500, errors: {} });
    expect(throughput?.rate).toBeGreaterThan(40);
    expect(throughput?.rate).toBeLessThan(110);
    expect(scenario).toMatchObject({ engine: 'open', offeredRate: Math.round((throughput?.rate ?? 0) / 2) });
    expect([...stages]).toEqual(['throughput', 'steady']);
    expect(seen.repeated).toBe(0);
    expect(seen.count).toBeGreaterThanOrEqual(detail.whole.requests + (throughput?.requests ?? 0));
  });

  it('keeps the rate of the scenario where the throughput phase is answered by errors only', async () => {
    const { scenario, detail } = await run(
      { fails: { each: 1, status: 500 } },
      { throughputMs: 1500, durationMs: 500, warmupMs: 0 },
    );
    expect(scenario.offeredRate).toBe(100);
    expect(detail.throughput?.rate).toBe(0);
    expect(scenario.notes).toContain('the throughput phase measured no rate: too few of its requests were accepted');
  });
});

describe('before anything is sent', () => {
  const options = { ...knownOptions('http://127.0.0.1:9'), scenarios: [knownScenario()] };
  const all = async (given: Partial<LoadOptions>): Promise<void> => {
    for await (const { type } of runLoad({ ...options, ...given })) expect(type).not.toBe('scenario');
  };

  it.each([
    [{ scenarios: ['nope'] }, /no scenario "nope"/],
    [{ scenarios: ['./nope.ts'] }, /no scenario file/],
    [{ thresholds: ['p99<1', 'p99>'] }, /"p99>"/],
    [{ model: 'closed' as const, maxRate: 0.5 }, /--engine closed sends at least one/],
  ])('%j is refused with a hint', async (given, message) => {
    const [said, hint] = [expect.stringMatching(message), expect.stringMatching(/\w/)];
    await expect(all(given)).rejects.toMatchObject({ name: 'AssayError', message: said, exitCode: 2, hint });
  });

  it('refuses a run in which no scenario is allowed', async () => {
    const scenarios = [knownScenario({ name: 'writes', effects: ['irreversible'] })];
    await expect(all({ scenarios, allow: ['read'] })).rejects.toMatchObject({
      message: 'Nothing would be measured: writes needs irreversible, which is not allowed.',
      exitCode: 2,
      hint: expect.stringContaining('--allow read,irreversible'),
    });
  });
});

it('runs a scenario from a file of the user', async () => {
  const file = join(emptyDirectory(), 'mine.ts');
  writeFileSync(
    file,
    `
    interface Body { readonly id: string }
    const body: Body = { id: '000000000000' };
    export default {
      name: 'mine', title: 'Mine.', effects: [], thresholds: ['errors<1%'], rate: 20,
      setup: async () => ({ requests: [{ operation: 'POST /', form: '', method: 'POST', path: '/', body: Buffer.from(JSON.stringify(body)), fields: [7] }] }),
    };`,
  );
  const { scenario } = await run({}, { scenarios: [file], durationMs: 500, rate: 100 });
  expect(scenario).toMatchObject({ name: 'mine', thresholds: [{ expression: 'errors<1%', held: true }] });
});

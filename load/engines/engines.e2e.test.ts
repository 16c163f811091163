import { describe, expect, it } from 'vitest';
import { startKnownTarget } from '../testing/known-target.ts';
import type { Behaviour } from '../testing/known-target.ts';
import { runKnown } from '../testing/known-trial.ts';
import { measuredIn, testPart, testSlice } from '../testing/slices.ts';
import { steadily } from '../testing/traffic.ts';
import type { TrialOptions } from '../trial.ts';

const MS = 600;
/** A closed run lasts until it has so many outcomes: on a busy machine autocannon takes a while to start. */
const ENOUGH = 80;
const LONG_MS = 20_000;
const RATE = 500;
/** As many as are due in that time. */
const DUE = 300;

function pace(model: TrialOptions['model'], rate = RATE): Partial<TrialOptions> {
  return model === 'closed'
    ? {
        model,
        durationMs: LONG_MS,
        maxRate: rate,
        onSlice: (_, { whole }) => (whole.requests >= ENOUGH ? 'stop' : 'on'),
      }
    : { model, schedule: steadily(rate, MS) };
}

/** Runs a trial against a target of its own, at a steady rate by default. */
const run = (behaviour: Behaviour, options: Parameters<typeof runKnown>[1] = {}, method?: string) =>
  runKnown(behaviour, options.model === 'closed' ? options : { ...pace('open'), ...options }, method);

/** Runs a trial as {@link run}, and keeps the bodies of its samples. */
async function sampled(model: 'open' | 'closed', behaviour: Behaviour) {
  const bodies: string[] = [];
  const onSamples: TrialOptions['onSamples'] = async (samples) =>
    void bodies.push(...samples.map(({ body }) => Buffer.from(body).toString()));
  return { ...(await run(behaviour, { ...pace(model), samplesPerSecond: 40, onSamples })), bodies };
}

describe.concurrent('the open model', () => {
  it('sends every due request once, with a unique body, and records it', async () => {
    const { measurement, nextIds, seen } = await run({});
    expect(measurement.whole.answered).toBe(DUE);
    expect(measurement.whole.latencies.count).toBe(DUE);
    expect(nextIds).toEqual([DUE]);
    expect(seen).toMatchObject({ count: DUE, unique: DUE, repeated: 0, connections: 8 });
  });

  it('shares a schedule among workers', async () => {
    const { measurement, seen } = await run({}, { workers: 2 });
    expect(measurement.whole.answered).toBe(DUE);
    expect(seen).toMatchObject({ count: DUE, unique: DUE });
  });

  it('counts latency from the scheduled time, so that a freeze shows in every delayed request', async () => {
    const { measurement } = await run({ freezes: { everyMs: 400, forMs: 300 } });
    expect(measurement.whole.answered + measurement.whole.unsent).toBe(DUE);
    expect(measurement.whole.latencies.percentile(90)).toBeGreaterThan(100);
  });

  it('counts requests that wait for a connection as late, and after the timeout as unsent', async () => {
    const { measurement } = await run({ silent: true }, { timeoutMs: 400 });
    const { whole } = measurement;
    expect(whole.answered).toBe(0);
    expect(whole.requests).toBe(DUE);
    expect(whole.unsent).toBeGreaterThan(200);
    expect((whole.errors['timeout'] ?? 0) + (whole.errors['unsent'] ?? 0)).toBe(DUE);
    expect(whole.latencies.percentile(1)).toBeGreaterThanOrEqual(399);
  });

  it('opens more connections when all are busy', async () => {
    const { measurement, seen } = await run({ slow: { each: 1, ms: 100 } }, { connections: 2, maxConnections: 100 });
    expect(measurement.whole.answered).toBe(DUE);
    expect(seen.connections).toBeGreaterThan(30);
  });
});

describe.concurrent.each(['open', 'closed'] as const)('the %s model', (model) => {
  it('respects Connection: close', async () => {
    const { measurement, seen } = await run({ closes: { after: 5, tells: true } }, pace(model));
    const { answered, errors } = measurement.whole;
    expect(errors).toEqual({});
    expect(answered).toBeGreaterThan(20);
    expect(seen.connections).toBeGreaterThanOrEqual(Math.floor(answered / 5));
  });

  it('continues after the server closed a connection without notice', async () => {
    const { measurement } = await run({ closes: { after: 10, tells: false } }, pace(model));
    const { answered, failed } = measurement.whole;
    expect(answered).toBeGreaterThan(20);
    expect(answered + failed).toBeLessThanOrEqual(model === 'open' ? DUE + 8 : RATE * 2);
  });

  it('counts resets and continues', async () => {
    const { measurement } = await run({ resets: { each: 10 } }, pace(model));
    const { errors, requests } = measurement.whole;
    expect(Math.abs((errors['reset'] ?? 0) - requests / 10)).toBeLessThanOrEqual(2);
    expect(requests).toBeGreaterThan(20);
  });

  it('counts error statuses, and excludes them from the latencies', async () => {
    const { measurement } = await run({ fails: { each: 4, status: 503 } }, pace(model));
    const { answered, errors, latencies, requests } = measurement.whole;
    expect(Math.abs((errors['503'] ?? 0) - requests / 4)).toBeLessThanOrEqual(2);
    expect(latencies.count).toBe(answered);
  });

  it('parses chunked responses and keeps samples', async () => {
    const { measurement, bodies } = await sampled(model, { chunked: true });
    expect(measurement.whole.errors).toEqual({});
    expect(bodies.length).toBeGreaterThan(3);
    expect(bodies.length).toBeLessThan(100);
    expect(new Set(bodies)).toEqual(new Set(['{"ok":true}']));
  });

  it('accepts a response that ends with its connection', async () => {
    const { measurement, bodies } = await sampled(model, { untilEnd: true });
    expect(measurement.whole.errors).toEqual({});
    expect(measurement.whole.answered).toBeGreaterThan(20);
    expect(new Set(bodies)).toEqual(new Set(['{"ok":true}']));
  });

  it.each([{}, { chunked: true }])('awaits no body of a response to HEAD: %j', async (behaviour) => {
    const { measurement } = await run(behaviour, { ...pace(model), timeoutMs: 1000 }, 'HEAD');
    expect(measurement.whole.errors).toEqual({});
    expect(measurement.whole.answered).toBeGreaterThan(20);
  });

  it('pauses between attempts to connect to a closed port', async () => {
    const gone = await startKnownTarget();
    await gone.close();
    const { measurement } = await run(
      {},
      {
        target: { baseUrl: gone.baseUrl },
        timeoutMs: 300,
        ...(model === 'closed' ? { model, durationMs: 2 * MS } : pace(model, 50)),
      },
    );
    const { errors, answered } = measurement.whole;
    expect(answered).toBe(0);
    expect(errors['refused']).toBeGreaterThan(0);
    expect(Object.values(errors).reduce((sum, count) => sum + count, 0)).toBeLessThan(150);
  });

  it('ends at once after the signal', async () => {
    const stop = new AbortController();
    const trial = await run(
      { slow: { each: 1, ms: 50 } },
      {
        ...pace(model),
        signal: stop.signal,
        onSlice: (_, { whole }) => {
          if (whole.answered > 0) stop.abort();
          return 'on';
        },
      },
    );
    expect(trial.stopped).toBe(true);
    expect(trial.measurement.whole.answered).toBeGreaterThan(0);
  });
});

it('sends nothing if the signal was aborted before', async () => {
  const { measurement, stopped, seen } = await run({}, { signal: AbortSignal.abort() });
  expect(stopped).toBe(true);
  expect(measurement.whole.requests).toBe(0);
  expect(seen.count).toBe(0);
});

describe.concurrent('the closed model', () => {
  it('keeps every connection busy with one request', async () => {
    const { measurement, seen } = await run({ slow: { each: 1, ms: 20 } }, { model: 'closed', durationMs: MS });
    expect(seen.most).toBeLessThanOrEqual(8);
    expect(measurement.whole.rate).toBeLessThanOrEqual(408);
  });

  it('makes every body unique across workers', async () => {
    const { measurement, nextIds, seen } = await run({}, { ...pace('closed'), workers: 2 });
    expect(measurement.whole.answered).toBeGreaterThanOrEqual(ENOUGH);
    expect(seen).toMatchObject({ repeated: 0, unique: seen.count });
    expect(nextIds.reduce((sum, next) => sum + next)).toBeGreaterThanOrEqual(seen.count);
  });

  it('does not count the wait for the next second as latency', async () => {
    const { measurement } = await run(
      {},
      { ...pace('closed', 8), onSlice: (_, { whole }) => (whole.answered > 8 ? 'stop' : 'on') },
    );
    expect(measurement.whole.answered).toBeGreaterThan(8);
    expect(measurement.whole.latencies.percentile(100)).toBeLessThan(800);
  });

  it('starts again when the target returns', async () => {
    let [refused, recovered] = [0, false];
    const { measurement } = await run(
      { away: { after: 50, forMs: 3000 } },
      {
        model: 'closed',
        durationMs: 4 * LONG_MS,
        onSlice: ({ answered }, { whole }) => {
          recovered ||= answered > 0 && refused > 0;
          refused = whole.errors['refused'] ?? 0;
          return recovered ? 'stop' : 'on';
        },
      },
    );
    const { errors } = measurement.whole;
    expect(recovered).toBe(true);
    expect(errors['refused']).toBeGreaterThan(0);
    expect(errors['refused']).toBeLessThan(200);
  });

  it('records a timeout with its full duration', async () => {
    const { measurement } = await run(
      { silent: true },
      {
        model: 'closed',
        durationMs: LONG_MS,
        timeoutMs: 300,
        onSlice: (_, { whole }) => ((whole.errors['timeout'] ?? 0) < 8 ? 'on' : 'stop'),
      },
    );
    expect(measurement.whole.errors['timeout']).toBeGreaterThanOrEqual(8);
    expect(measurement.whole.latencies.percentile(0)).toBeGreaterThanOrEqual(299);
  });
});

it('a measurement excludes the warm-up from the steady figures, and the drain phase from the rate', () => {
  const slices = [10, 20, 30, 5].map((answered, index) => testSlice(index, [testPart(answered)]));
  const { measurement } = measuredIn(slices, { warmupMs: 250, durationMs: 750 });
  expect(measurement.whole).toMatchObject({ answered: 65, rate: 80 });
  expect(measurement.steady).toMatchObject({ answered: 55, rate: 100 });
  expect(measurement.parts).toMatchObject([{ label: 'all', answered: 55, statuses: { 200: 55 }, errors: {} }]);
});

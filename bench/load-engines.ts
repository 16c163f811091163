/**
 * How fast the engines are: against nginx on one core from one core, unique bodies of 1 KB, 50 connections, in interleaved
 * rounds beside wrk. Usage: tsx bench/load-engines.ts [ROUNDS]
 */
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { testTraffic } from '../load/testing/traffic.ts';
import { Judging } from '../load/judging.ts';
import { runTrial } from '../load/trial.ts';
import { has, median, onCores, percent, startNginx, wrkScript } from './load-support.ts';

const SECONDS = 3;
const SELF = fileURLToPath(import.meta.url);

interface Child {
  readonly model: 'open' | 'closed';
  readonly port: number;
  readonly rate: number;
  readonly workers: number;
  readonly samples: number;
}

async function child({ model, port, rate, workers, samples }: Child): Promise<void> {
  const judging = new Judging({
    requests: Array.from({ length: 1000 }, () => ({ operation: 'POST /x', form: '', method: 'POST', path: '/x' })),
    target: { baseUrl: `http://127.0.0.1:${port}` },
    judge: () => [],
  });
  const durationMs = SECONDS * 1000;
  const { measurement } = await runTrial({
    target: { baseUrl: `http://127.0.0.1:${port}` },
    traffic: testTraffic({ count: 1000, port, size: 1024, path: '/x' }),
    model,
    warmupMs: 1000,
    sliceMs: 250,
    connections: 50,
    maxConnections: 50,
    workers,
    timeoutMs: 60_000,
    samplesPerSecond: samples,
    keepsIds: false,
    seed: 1,
    durationMs,
    ...(model === 'open'
      ? { schedule: { arrivals: 'even' as const, segments: [{ durationMs, from: rate, to: rate }] } }
      : {}),
    onSamples: (kept) => judging.add(kept),
    onSlice: ({ draining }) => (draining ? 'stop' : 'on'),
  });
  console.log(
    JSON.stringify({
      rate: measurement.steady.rate,
      lag: measurement.lag.percentile(99),
      errors: measurement.steady.failed,
    }),
  );
}

interface Result {
  readonly rate: number;
  readonly lag: number;
}

async function ours(cores: string, given: Child): Promise<Result> {
  const text = await onCores(cores, [process.execPath, '--import', 'tsx', SELF, JSON.stringify(given)]);
  return JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as Result;
}

async function wrk(cores: string, port: number, script: string): Promise<Result> {
  const text = await onCores(cores, [
    'wrk',
    '-t1',
    '-c50',
    `-d${SECONDS}s`,
    '-s',
    script,
    `http://127.0.0.1:${port}/x`,
  ]);
  return { rate: Number(/Requests\/sec:\s*([\d.]+)/.exec(text)?.[1] ?? 0), lag: 0 };
}

const TOP = 400_000;

async function speed(rounds: number): Promise<void> {
  const nginx = await startNginx('0');
  const script = wrkScript();
  const { port } = nginx;
  const runs: Record<string, () => Promise<Result>> = {
    ...(has('wrk') ? { wrk: () => wrk('1', port, script) } : {}),
    closed: () => ours('1', { model: 'closed', port, rate: 0, workers: 1, samples: 0 }),
    open: () => ours('1', { model: 'open', port, rate: TOP, workers: 1, samples: 0 }),
    'open, judging 40/s': () => ours('1', { model: 'open', port, rate: TOP, workers: 1, samples: 40 }),
  };
  const rates = new Map<string, number[]>();
  const lags: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      const { rate } = await run();
      rates.set(name, [...(rates.get(name) ?? []), rate]);
    }
    const half = median(rates.get('open') ?? []) / 2;
    lags.push((await ours('1', { model: 'open', port, rate: half, workers: 1, samples: 0 })).lag);
  }
  await nginx.stop();
  const base = median(rates.get('wrk') ?? [0]);
  for (const [name, values] of rates)
    console.log(
      `${name.padEnd(20)} ${Math.round(median(values)).toLocaleString('en')}/s ${base > 0 ? percent(median(values) / base) : ''}`,
    );
  const cost = 1 - median(rates.get('open, judging 40/s') ?? []) / median(rates.get('open') ?? []);
  console.log(
    `judging a sample costs ${percent(cost)}; schedule lag p99 at half the top rate: ${median(lags).toFixed(2)} ms`,
  );
}

/** Target and generator share the cores, once one core, once two: more cores than that would be better. */
async function scaling(rounds: number): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = await startNginx('0', 1);
    const single = await ours('0', { model: 'open', port: one.port, rate: TOP, workers: 1, samples: 0 });
    await one.stop();
    const two = await startNginx('0,1', 2);
    const double = await ours('0,1', { model: 'open', port: two.port, rate: TOP, workers: 2, samples: 0 });
    await two.stop();
    ratios.push(double.rate / single.rate);
  }
  console.log(`two workers on two cores, target beside them: ${median(ratios).toFixed(2)} times one on one`);
}

const [argument] = process.argv.slice(2);
if (argument?.startsWith('{')) await child(JSON.parse(argument) as Child);
else if (!has('nginx') || !has('taskset') || cpus().length < 2)
  console.log('skipped: needs nginx, taskset and two cores');
else {
  const rounds = Number(argument ?? 5);
  await speed(rounds);
  await scaling(Math.min(3, rounds));
}

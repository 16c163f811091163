/**
 * Speed of the closed engine (autocannon) and of the open engine, compared with wrk: nginx on one core, the generator on another,
 * unique bodies of 1 KB, 50 connections, interleaved rounds, medians. On a busy machine, compare requests per CPU second.
 * Skips wrk if it is not installed. Usage: tsx bench/load-engines.ts [ROUNDS]
 */
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { testTraffic } from '../load/testing/traffic.ts';
import { Judging } from '../load/judging.ts';
import { runTrial } from '../load/trial.ts';
import { has, median, onCores, percent, startNginx, wrkScript } from './load-support.ts';

const SECONDS = 3;
const WARM_SLICES = 3;
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
  let cpu = process.cpuUsage();
  let before = 0;
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
    onSlice: ({ draining, index }, { whole }) => {
      if (index === WARM_SLICES) {
        cpu = process.cpuUsage();
        before = whole.answered;
      }
      return draining ? 'stop' : 'on';
    },
  });
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    JSON.stringify({
      rate: measurement.steady.rate,
      perCpuSecond: ((measurement.whole.answered - before) / (user + system)) * 1e6,
      lag: measurement.lag.percentile(99),
      errors: measurement.steady.failed,
    }),
  );
}

interface Result {
  readonly rate: number;
  readonly perCpuSecond: number;
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
  return { rate: Number(/Requests\/sec:\s*([\d.]+)/.exec(text)?.[1] ?? 0), lag: 0, perCpuSecond: 0 };
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
    'open, 40 checks/s': () => ours('1', { model: 'open', port, rate: TOP, workers: 1, samples: 40 }),
  };
  const rates = new Map<string, number[]>();
  const perCpu = new Map<string, number[]>();
  const lags: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      const { rate, perCpuSecond } = await run();
      rates.set(name, [...(rates.get(name) ?? []), rate]);
      perCpu.set(name, [...(perCpu.get(name) ?? []), perCpuSecond]);
    }
    const half = median(rates.get('open') ?? []) / 2;
    lags.push((await ours('1', { model: 'open', port, rate: half, workers: 1, samples: 0 })).lag);
  }
  await nginx.stop();
  const base = median(rates.get('wrk') ?? [0]);
  for (const [name, values] of rates)
    console.log(
      `${name.padEnd(20)} ${Math.round(median(values)).toLocaleString('en')}/s ${base > 0 ? percent(median(values) / base) : ''} ${Math.round(median(perCpu.get(name) ?? [])).toLocaleString('en')} per CPU second`,
    );
  const cost = 1 - median(rates.get('open, 40 checks/s') ?? []) / median(rates.get('open') ?? []);
  console.log(
    `checking a sample costs ${percent(cost)}; generator lag p99 at half of the top rate: ${median(lags).toFixed(2)} ms; load average ${loadavg()[0]?.toFixed(1)}`,
  );
}

/** Target and generator share the cores, first one core, then two. */
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

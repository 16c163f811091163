/**
 * Speed of the closed engine (autocannon) and of the open engine, compared with wrk and with autocannon's own command: nginx on one
 * core, the generator on another, bodies of 1 KB (unique ones but for that command), 50 connections, interleaved rounds, medians. On a busy machine, only the CPU time of the generator per
 * request is reliable. Skips wrk if it is not installed. Usage: tsx bench/load-engines.ts [ROUNDS]
 */
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { PLAIN_TRIAL, steadily, testTraffic } from '../load/testing/traffic.ts';
import { runTrial } from '../load/trial.ts';
import { median } from '../load/compare/statistics.ts';
import { has, onCores, percent, startNginx, wrkScript } from './load-support.ts';

const SECONDS = 3;
/** On a busy machine a run lasts longer, until enough requests were sent after the warm-up. */
const MOST_SECONDS = 30;
const SLICE_MS = 250;
const WARM_MS = 1000;
const WARM_REQUESTS = 30_000;
const COUNTED_REQUESTS = 60_000;
const SELF = fileURLToPath(import.meta.url);
const AUTOCANNON = fileURLToPath(import.meta.resolve('autocannon'));

interface Child {
  readonly model: 'open' | 'closed';
  readonly port: number;
  readonly rate: number;
  readonly workers: number;
}

async function child({ model, port, rate, workers }: Child): Promise<void> {
  const durationMs = MOST_SECONDS * 1000;
  let cpu = process.cpuUsage();
  let before = 0;
  const { measurement } = await runTrial({
    ...PLAIN_TRIAL,
    target: { baseUrl: `http://127.0.0.1:${port}` },
    traffic: testTraffic({ count: 1000, port, size: 1024, path: '/x' }),
    model,
    warmupMs: WARM_MS,
    connections: 50,
    maxConnections: 50,
    workers,
    timeoutMs: 60_000,
    durationMs,
    ...(model === 'open' ? { schedule: steadily(rate, durationMs) } : {}),
    onSlice: ({ draining, index }, { whole: { answered } }) => {
      const ranMs = (index + 1) * SLICE_MS;
      if (before === 0 && ranMs >= WARM_MS && answered >= WARM_REQUESTS) {
        cpu = process.cpuUsage();
        before = answered;
      }
      const isEnough = ranMs >= SECONDS * 1000 && before > 0 && answered - before >= COUNTED_REQUESTS;
      return draining || isEnough ? 'stop' : 'on';
    },
  });
  const { user, system } = process.cpuUsage(cpu);
  const { steady, whole, lag } = measurement;
  console.log(
    JSON.stringify({
      rate: steady.rate,
      cpuMicros: (user + system) / (whole.answered - before),
      lag: lag.percentile(99),
      errors: steady.failed,
    }),
  );
}

interface Result {
  readonly rate: number;
  /** CPU time of the generator per request, in microseconds. */
  readonly cpuMicros: number;
  readonly lag: number;
}

async function ours(cores: string, given: Child): Promise<Result> {
  const text = await onCores(cores, [process.execPath, '--import', 'tsx', SELF, JSON.stringify(given)]);
  return JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as Result;
}

/** Output of a command, and the CPU time that it took, in seconds. */
async function timed(cores: string, command: string): Promise<{ readonly text: string; readonly seconds: number }> {
  const text = await onCores(cores, ['sh', '-c', `${command}; times`]);
  // The last line of `times` is of the children: 0m1.234s 0m0.567s, user and system.
  const times = [...(text.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return { text, seconds: times.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0) };
}

async function wrk(cores: string, port: number, script: string): Promise<Result> {
  const command = `wrk -t1 -c50 -d${SECONDS}s -s ${script} http://127.0.0.1:${port}/x`;
  const { text, seconds } = await timed(cores, command);
  const requests = Number(/(\d+) requests in/.exec(text)?.[1] ?? 0);
  const rate = Number(/Requests\/sec:\s*([\d.]+)/.exec(text)?.[1] ?? 0);
  return { rate, cpuMicros: (seconds * 1e6) / requests, lag: 0 };
}

/** autocannon's own command, which sends one body again and again: the closed engine is built on it. */
async function plainAutocannon(cores: string, port: number): Promise<Result> {
  const given = `-c 50 -d ${SECONDS} -m POST -b ${'x'.repeat(1024)} -j http://127.0.0.1:${port}/x`;
  const { text, seconds } = await timed(cores, `${process.execPath} ${AUTOCANNON} ${given}`);
  const { requests } = JSON.parse(/^\{.*\}$/m.exec(text)?.[0] ?? '') as {
    readonly requests: { readonly average: number; readonly total: number };
  };
  return { rate: requests.average, cpuMicros: (seconds * 1e6) / requests.total, lag: 0 };
}

const TOP = 400_000;

async function speed(rounds: number): Promise<void> {
  const nginx = await startNginx('0');
  const script = wrkScript();
  const { port } = nginx;
  const runs: Record<string, () => Promise<Result>> = {
    ...(has('wrk') ? { wrk: () => wrk('1', port, script) } : {}),
    autocannon: () => plainAutocannon('1', port),
    closed: () => ours('1', { model: 'closed', port, rate: 0, workers: 1 }),
    open: () => ours('1', { model: 'open', port, rate: TOP, workers: 1 }),
  };
  const results = new Map<string, Result[]>(Object.keys(runs).map((name) => [name, []]));
  const middle = (name: string, figure: 'rate' | 'cpuMicros'): number =>
    median((results.get(name) ?? []).map((result) => result[figure]));
  const lags: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) results.get(name)?.push(await run());
    const half = middle('open', 'rate') / 2;
    lags.push((await ours('1', { model: 'open', port, rate: half, workers: 1 })).lag);
  }
  await nginx.stop();
  const share = (part: number, whole: number): string => (results.has('wrk') ? percent(part / whole).padStart(5) : '');
  for (const name of results.keys()) {
    const [rate, cpu] = [middle(name, 'rate'), middle(name, 'cpuMicros')];
    console.log(
      `${name.padEnd(20)} ${Math.round(rate).toLocaleString('en').padStart(8)}/s ${share(rate, middle('wrk', 'rate'))}` +
        `   ${cpu.toFixed(2).padStart(6)} µs of CPU time per request ${share(middle('wrk', 'cpuMicros'), cpu)}`,
    );
  }
  console.log(
    `generator lag p99 at half of the highest rate: ${median(lags).toFixed(2)} ms; load average ${loadavg()[0]?.toFixed(1)}`,
  );
}

/** Target and generator on the same core, then both on two cores. */
async function scaling(rounds: number): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const one = await startNginx('0', 1);
    const single = await ours('0', { model: 'open', port: one.port, rate: TOP, workers: 1 });
    await one.stop();
    const two = await startNginx('0,1', 2);
    const double = await ours('0,1', { model: 'open', port: two.port, rate: TOP, workers: 2 });
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

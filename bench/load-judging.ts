/**
 * Cost of checking a sample of the responses: rate and CPU time per response of the open engine with and without it, in
 * interleaved rounds, with the spread of the differences. A server that answers at once (nginx, or Node) runs on core 0, the
 * generator with the checks on core 1. Needs taskset.
 * Usage: tsx bench/load-judging.ts [ROUNDS] [SECONDS] [wrong]; with `wrong`, each answer violates the contract.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { judgeOf } from '../cli/load/load-target.ts';
import { hodgesLehmann, median } from '../load/compare/statistics.ts';
import { encodeTraffic } from '../load/encode-traffic.ts';
import { Judging } from '../load/judging.ts';
import { poolOf } from '../load/scenarios/body-pool.ts';
import { PLAIN_TRIAL, steadily } from '../load/testing/traffic.ts';
import { runTrial } from '../load/trial.ts';
import { loadContract } from '../spec/index.ts';
import { has, onCores, startNginx } from './load-support.ts';

const SELF = fileURLToPath(import.meta.url);
const TOP = 400_000;
const SAMPLES = 40;

/** Runs in a process of its own and prints its rate. */
async function child(port: number, samplesPerSecond: number, seconds: number): Promise<void> {
  const contract = await loadContract(undefined);
  const target = { baseUrl: `http://127.0.0.1:${port}`, token: 'bench' };
  const pool = poolOf({ kind: 'clue', count: 500, bytes: 1024, seed: 1, tag: 'bench', fixtures: {} });
  const requests = pool.bodies.map(({ bytes, fields }) => ({
    operation: 'POST /clue',
    form: '/api/v1',
    method: 'POST',
    path: '/api/v1/clue?save=true',
    body: bytes,
    fields,
  }));
  const judge = judgeOf(contract, { seed: 1, connection: {} });
  const judging = new Judging({ requests, target, judge, contract });
  const before = process.cpuUsage();
  const { measurement } = await runTrial({
    ...PLAIN_TRIAL,
    target,
    traffic: encodeTraffic({ requests, fieldWidth: pool.fieldWidth }, target, 'bench1'),
    model: 'open',
    warmupMs: 1000,
    connections: 50,
    maxConnections: 50,
    timeoutMs: 60_000,
    samplesPerSecond,
    schedule: steadily(TOP, seconds * 1000),
    onSamples: (samples) => judging.add(samples),
    onSlice: ({ draining }) => (draining ? 'stop' : 'on'),
  });
  const { user, system } = process.cpuUsage(before);
  const cpuUs = (user + system) / Math.max(1, measurement.whole.inTime);
  console.log(JSON.stringify({ rate: measurement.steady.rate, cpuUs, judged: judging.judged }));
}

const SERVER = `
const answer = Buffer.from('HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 11\\r\\n\\r\\n' + process.argv[1]);
const server = require('node:net').createServer((socket) => {
  socket.setNoDelay(true).on('error', () => {}).on('data', () => socket.write(answer));
}).listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** Starts a server in Node that answers each request at once. */
async function startNode(cores: string, body: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const child = spawn('taskset', ['-c', cores, process.execPath, '-e', SERVER, body], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(port.toString()), stop: async () => void child.kill() };
}

interface Result {
  readonly rate: number;
  /** CPU time of generator and checks per response, in microseconds: it does not depend on other processes. */
  readonly cpuUs: number;
  readonly judged: number;
}

async function measure(port: number, samples: number, seconds: number): Promise<Result> {
  const words = [process.execPath, '--import', 'tsx', SELF, 'child', String(port), String(samples), String(seconds)];
  return JSON.parse((await onCores('1', words)).trim().split('\n').at(-1) ?? '{}') as Result;
}

async function main(rounds: number, seconds: number, isWrong: boolean): Promise<void> {
  if (!has('taskset')) return console.log('skipped: needs taskset');
  const inNode = isWrong || !has('nginx');
  const server = await (inNode ? startNode('0', isWrong ? '{"ok":"no" ' : '{"ok":true}') : startNginx('0'));
  const pairs: { without: Result; judged: Result }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [0, SAMPLES] : [SAMPLES, 0];
    const results = new Map<number, Result>();
    for (const samples of order) results.set(samples, await measure(server.port, samples, seconds));
    const [without, judged] = [results.get(0), results.get(SAMPLES)];
    if (without === undefined || judged === undefined) continue;
    pairs.push({ without, judged });
    console.log(
      `round ${round + 1}: ${without.rate.toFixed(0)}/s, ${without.cpuUs.toFixed(2)} µs; judged ${judged.rate.toFixed(0)}/s, ${judged.cpuUs.toFixed(2)} µs (${judged.judged} answers)`,
    );
  }
  await server.stop();
  const percent = (value: number): string => `${(Math.expm1(value) * 100).toFixed(1)}%`;
  for (const [name, of] of [
    ['rate', ({ rate }: Result) => rate],
    ['CPU time per answer', ({ cpuUs }: Result) => cpuUs],
  ] as const) {
    const changes = pairs.map(({ without, judged }) => Math.log(of(judged) / of(without)));
    const { estimate, low, high } = hodgesLehmann(
      pairs.map(({ without }) => Math.log(of(without))),
      pairs.map(({ judged }) => Math.log(of(judged))),
    );
    console.log(
      `${name}: median ${percent(median(changes))}, from ${percent(Math.min(...changes))} to ${percent(Math.max(...changes))}; shift ${percent(estimate)}, 99%: ${percent(low)} to ${percent(high)}`,
    );
  }
}

const [first = '10', second = '5', ...rest] = process.argv.slice(2);
if (first === 'child') await child(Number(second), Number(rest[0]), Number(rest[1]));
else await main(Number(first), Number(second), rest.includes('wrong'));

/**
 * The same flow (create, read, update, delete) in Assay and in k6: CPU time of the generator per iteration at 200 arrivals per second, and
 * the reported p99 for a target that freezes for 500 ms every 5 s. k6 is found by PATH or K6; without it only Assay runs.
 * `go install go.k6.io/k6@v0.57.0` builds one.
 * Usage: tsx bench/load-flow.ts [SECONDS]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startKnownTarget } from '../load/testing/known-target.ts';
import { has } from './load-support.ts';

const SECONDS = Number(process.argv[2] ?? 20);
const RATE = 200;
const K6 = process.env['K6'] ?? 'k6';
const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));

const ASSAY_FLOW = `
export const scenario = {
  name: 'life', effects: ['read', 'irreversible'], rate: ${RATE}, thresholds: ['errors<1%'],
  async flow({ post, get, put, delete: remove, check, unique }) {
    const created = await post('/items', { id: unique() });
    check('created', created.json().ok === true);
    const path = '/items/' + created.latencyMs.toFixed(6).replace('.', '');
    await get(path);
    await put(path, { id: unique() });
    await remove(path);
  },
};`;

const K6_FLOW = `
import http from 'k6/http';
import { check } from 'k6';
export const options = { discardResponseBodies: false, summaryTrendStats: ['med', 'p(99)', 'max'], scenarios: { life: {
  executor: 'constant-arrival-rate', rate: ${RATE}, timeUnit: '1s', duration: '${SECONDS}s', preAllocatedVUs: 50, maxVUs: 600 } } };
const base = __ENV.BASE;
const json = { headers: { 'content-type': 'application/json' } };
export default function () {
  const created = http.post(base + '/items', JSON.stringify({ id: __VU + '-' + __ITER }), json);
  check(created, { created: (response) => response.json().ok === true });
  const path = base + '/items/' + __VU + '' + __ITER;
  http.get(path);
  http.put(path, JSON.stringify({ id: __VU + '-' + __ITER }), json);
  http.del(path);
}
export function handleSummary(data) { return { stdout: JSON.stringify(data.metrics) }; }`;

/** CPU time of a process in seconds, from the kernel's clock of 100 ticks per second. */
function cpuSeconds(pid: number): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

interface Ran {
  readonly text: string;
  readonly cpu: number;
}

async function run(command: string, words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn(command, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
  let [text, cpu] = ['', 0];
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
  const watch = setInterval(() => {
    try {
      cpu = cpuSeconds(child.pid ?? 0);
    } catch {
      // It has just ended: the last figure stays.
    }
  }, 100);
  await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  return { text, cpu };
}

async function assay(baseUrl: string, dir: string): Promise<string> {
  const file = join(dir, 'life.ts');
  const spec = join(dir, 'spec.json');
  writeFileSync(file, ASSAY_FLOW);
  const responses = { 200: { description: 'ok' } };
  writeFileSync(
    spec,
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Items', version: '1' },
      paths: { '/items': { post: { responses } } },
    }),
  );
  const words = ['load', file, '--base-url', baseUrl, '--spec', spec, '--allow', 'all', '--duration', `${SECONDS}s`];
  const { text, cpu } = await run(process.execPath, [MAIN, ...words, '--warmup', '0', '--out', dir, '--json'], {});
  const [scenario] = JSON.parse(text).scenarios;
  const { flow } = scenario.detail;
  return `Assay: ${flow.completed} iterations, ${((cpu * 1000) / flow.completed).toFixed(2)} ms CPU each (whole command), p99 of all requests ${scenario.latencyMs.p99.toFixed(0)} ms, of iterations ${flow.latencyMs.p99.toFixed(0)} ms, ${flow.dropped} dropped`;
}

async function k6(baseUrl: string, dir: string): Promise<string> {
  const file = join(dir, 'life.js');
  writeFileSync(file, K6_FLOW);
  const { text, cpu } = await run(K6, ['run', '--quiet', file], { BASE: baseUrl, K6_NO_USAGE_REPORT: 'true' });
  const metrics = JSON.parse(text);
  const count = metrics.iterations.values.count;
  return `k6: ${count} iterations, ${((cpu * 1000) / count).toFixed(2)} ms CPU each (whole command), p99 of all requests ${metrics.http_req_duration.values['p(99)'].toFixed(0)} ms, of iterations ${metrics.iteration_duration.values['p(99)'].toFixed(0)} ms, ${metrics.dropped_iterations?.values.count ?? 0} dropped`;
}

const lines = (text: string): number => text.trim().split('\n').length;
console.log(`the flow in lines: Assay ${lines(ASSAY_FLOW)}, k6 ${lines(K6_FLOW)}`);
const targets = { steady: {}, 'freezes 500 ms in 5 s': { freezes: { everyMs: 5000, forMs: 500 } } };
for (const [name, behaviour] of Object.entries(targets)) {
  const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const target = await startKnownTarget(behaviour);
  console.log(`${name}\n  ${await assay(target.baseUrl, dir)}`);
  console.log(`  ${has(K6) ? await k6(target.baseUrl, dir) : 'k6: skipped, not on the PATH'}`);
  await target.close();
  rmSync(dir, { recursive: true });
}

/**
 * Clues of 1 KB per second of the embedded service on one core, compared with a bare Fastify route that parses the same bodies.
 *
 *   npx tsx bench/service-ingest.ts [SECONDS] [ROUNDS] [--data]
 *
 * Both servers are pinned to core 0 and the generator to the others (Linux with `taskset`, else unpinned); rounds are
 * interleaved. CPU time per request does not depend on other processes: its reciprocal is the rate on a core without them.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { fastify } from 'fastify';
import { median } from '../load/compare/statistics.ts';
import { startService } from '../service/start.ts';

type Kind = 'bare' | 'service';

interface Ready {
  readonly url: string;
  readonly token: string;
}

interface Round {
  readonly rate: number;
  readonly cpuMicros: number;
}

const PATH = '/api/v1/clue?save=true';
const SELF = fileURLToPath(import.meta.url);
const role = process.env['BENCH_ROLE'];

function clue(index: number): string {
  const origin = `/Person#bench:${index}`;
  const common = { 'attribute-origin': origin, 'attribute-appVersion': '2.17.0.0' };
  const bag = { 'person.name': `Person ${index}`, 'person.email': `p${index}@example.com`, 'person.note': '' };
  const properties: Record<string, string> = { 'attribute-type': '/Metadata/KeyValue', ...bag };
  const entityData = { ...common, 'attribute-source': 'bench', entityType: '/Person', codes: [origin], properties };
  const clueDetails = { data: { ...common, 'attribute-inputSource': 'bench', entityData } };
  const body = { clue: { 'attribute-organization': '5b2f6d0e-8c1a-4e57-9f3d-2a4b6c8d0e1f', ...common, clueDetails } };
  properties['person.note'] = 'x'.repeat(1024 - JSON.stringify(body).length);
  return JSON.stringify(body);
}

async function serve(kind: Kind): Promise<void> {
  const dataDir = process.env['BENCH_DATA'];
  const ready = kind === 'bare' ? await serveBare() : await serveReal(dataDir);
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.send?.(ready);
}

async function serveBare(): Promise<Ready> {
  const app = fastify();
  app.post('/api/v1/clue', () => ({ saved: true }));
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), token: '' };
}

async function serveReal(dataDir: string | undefined): Promise<Ready> {
  const { baseUrl, tokens } = await startService(dataDir === undefined ? {} : { dataDir });
  return { url: baseUrl, token: tokens.full };
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once('message', (message) => resolve(message as T)));
}

async function cpuMicros(child: ChildProcess): Promise<number> {
  const usage = answerOf<NodeJS.CpuUsage>(child);
  child.send('cpu');
  const { user, system } = await usage;
  return user + system;
}

function start(kind: Kind, data: string | undefined): ChildProcess {
  const env = { ...process.env, BENCH_ROLE: kind, ...(data === undefined ? {} : { BENCH_DATA: data }) };
  const node = ['--import', 'tsx', SELF];
  const pinned = spawnSync('taskset', ['-V']).status === 0;
  const command = pinned ? ['taskset', '-c', '0', process.execPath, ...node] : [process.execPath, ...node];
  return spawn(command[0] ?? '', command.slice(1), { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

let sent = 0;

function withClue(request: autocannon.Request): autocannon.Request {
  return { ...request, body: clue(sent++) };
}

async function measure(child: ChildProcess, { url, token }: Ready, duration: number): Promise<Round> {
  const before = await cpuMicros(child);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const requests = [{ method: 'POST' as const, path: PATH, headers, setupRequest: withClue }];
  const result = await autocannon({ url, connections: 50, duration, requests });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return { rate: result.requests.average, cpuMicros: ((await cpuMicros(child)) - before) / result.requests.total };
}

async function compare(seconds: number, rounds: number, data: string | undefined): Promise<void> {
  const kinds: readonly Kind[] = ['bare', 'service'];
  const children = kinds.map((kind) => start(kind, kind === 'service' ? data : undefined));
  const ready = await Promise.all(children.map((child) => answerOf<Ready>(child)));
  const seen: Round[][] = [[], []];
  for (let round = -1; round < rounds; round++) {
    for (const [index, child] of children.entries()) {
      const measured = await measure(child, ready[index] as Ready, round < 0 ? 1 : seconds);
      if (round >= 0) seen[index]?.push(measured);
    }
  }
  for (const child of children) child.kill();
  report(kinds, seen);
}

function report(kinds: readonly Kind[], seen: readonly (readonly Round[])[]): void {
  const rows = kinds.map((kind, index) => {
    const cpu = median((seen[index] ?? []).map((round) => round.cpuMicros));
    return { kind, rate: median((seen[index] ?? []).map(({ rate }) => rate)), cpu, core: 1e6 / cpu };
  });
  const [bare, service] = rows;
  for (const { kind, rate, cpu, core } of rows) {
    console.log(
      `${kind.padEnd(8)} ${rate.toFixed(0).padStart(7)}/s measured  ${cpu.toFixed(1).padStart(6)} µs of CPU time per clue  ${core.toFixed(0).padStart(7)}/s on an unshared core`,
    );
  }
  if (bare !== undefined && service !== undefined)
    console.log(`service/bare: ${(service.core / bare.core).toFixed(2)}`);
}

if (role === 'bare' || role === 'service') await serve(role);
else {
  const [seconds = '3', rounds = '3'] = process.argv.slice(2).filter((argument) => argument !== '--data');
  const data = process.argv.includes('--data') ? mkdtempSync(join(tmpdir(), 'assay-bench-')) : undefined;
  await compare(Number(seconds), Number(rounds), data);
  if (data !== undefined) rmSync(data, { recursive: true });
}

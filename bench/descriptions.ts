import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadContract } from '../spec/index.ts';
import type { Contract } from '../spec/index.ts';
import { describeOddly } from '../tests/foreign/describe.ts';
import type { Dialect } from '../tests/foreign/describe.ts';
import { describePlatform } from '../tests/foreign/platform.ts';
import { startMock } from '../tests/foreign/mock.ts';
import type { Behaviour } from '../tests/foreign/mock.ts';
import { memoryOf } from '../tests/hostile/run-against.ts';

/**
 * Verifies a mock that conforms to unusual descriptions (or to the given files) with the built command, and prints the time of the
 * first request, duration, memory and every finding.
 *
 *     npm run build && tsx bench/descriptions.ts [FILE...] [--sizes 700,1200] [--dialects NAMES] [--platform SIZES]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cli: { type: 'string', default: new URL('../dist/cli/main.js', import.meta.url).pathname },
    sizes: { type: 'string', default: '700,1200' },
    dialects: { type: 'string', default: 'swagger-2,openapi-3.0,openapi-3.1' },
    /** Sizes of descriptions like that of the platform, instead of the unusual ones. */
    platform: { type: 'string' },
    behaviours: { type: 'string', default: 'stateful' },
    /** Response time of the mock in milliseconds. */
    delay: { type: 'string' },
    arguments: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});

const MOST_MS = 15 * 60_000;
const MOST_FIRST_MS = 3_000;
const MOST_MB = 500;
const TOKEN = 'a-token-of-the-mock';

interface Seen {
  readonly code: number | null;
  readonly ms: number;
  readonly firstMs: number;
  readonly firstMb: number;
  /** CPU time until then, which does not depend on other processes. */
  readonly firstCpuMs: number;
  readonly peakMb: number;
  readonly summary: {
    readonly totals?: Record<string, number>;
    readonly findings?: readonly Found[];
    readonly reach?: { readonly reached: number; readonly of: number };
  };
  /** Number of requests without a token. */
  readonly withoutToken: number;
  readonly output: string;
}

interface Found {
  readonly check: string;
  readonly operation: string;
  readonly message: string;
  readonly expected: string;
  readonly received: string;
}

function spawnVerify(file: string, baseUrl: string, dir: string): ChildProcessByStdio<null, Readable, Readable> {
  const options = ['--spec', file, '--base-url', baseUrl, '--seed', '1', '--settle', '50', '--out', join(dir, 'out')];
  const more = values.arguments.split(' ').filter((each) => each !== '');
  return spawn(process.execPath, [values.cli, 'verify', ...options, ...more], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: dir, XDG_STATE_HOME: dir, ASSAY_TOKEN: TOKEN },
  });
}

async function verify(file: string, contract: Contract, behaviour: Behaviour): Promise<Seen> {
  const mock = await startMock(contract, {
    behaviour,
    token: TOKEN,
    ...(values.delay === undefined ? {} : { delayMs: Number(values.delay) }),
  });
  const dir = mkdtempSync(join(tmpdir(), 'assay-descriptions-'));
  const began = performance.now();
  const child = spawnVerify(file, mock.baseUrl, dir);
  let [peakMb, firstMs, firstMb, firstCpuMs] = [0, 0, 0, 0];
  const watch = setInterval(() => {
    const mb = memoryOf(child.pid ?? 0);
    peakMb = Math.max(peakMb, mb);
    if (firstMs === 0 && mock.planned())
      [firstMs, firstMb, firstCpuMs] = [performance.now() - began, peakMb, cpuOf(child.pid ?? 0)];
  }, 50);
  const stop = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  clearInterval(watch);
  clearTimeout(stop);
  await mock.close();
  const summary = read(join(dir, 'out', 'summary.json'));
  rmSync(dir, { recursive: true, force: true });
  return {
    code,
    ms: performance.now() - began,
    firstMs,
    firstMb,
    firstCpuMs,
    peakMb,
    summary,
    withoutToken: mock.withoutToken(),
    output: Buffer.concat(output).toString(),
  };
}

/** CPU time of a process and its children in milliseconds; the kernel counts in hundredths of a second. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter((each) => each !== '');
    return (
      (Number(fields[11]) + Number(fields[12])) * 10 + children.reduce((sum, each) => sum + cpuOf(Number(each)), 0)
    );
  } catch {
    return 0;
  }
}

function read(file: string): Seen['summary'] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Seen['summary'];
  } catch {
    return {};
  }
}

function complaints(seen: Seen): readonly string[] {
  const findings = seen.summary.findings ?? [];
  return [
    ...(seen.code === 0 ? [] : [`exit code ${seen.code}`]),
    ...(seen.firstMs > 0 && Math.min(seen.firstMs, seen.firstCpuMs) <= MOST_FIRST_MS
      ? []
      : [`first request after more than ${MOST_FIRST_MS} ms`]),
    ...(seen.firstMb <= MOST_MB ? [] : [`more than ${MOST_MB} MB at the first request`]),
    ...findings.map((each) =>
      `false alarm: ${each.check} ${each.message} · expected ${each.expected} · received ${each.received}`.slice(
        0,
        400,
      ),
    ),
    ...((seen.summary.totals?.['errors'] ?? 0) > 0 ? [`${seen.summary.totals?.['errors']} errors`] : []),
    ...((seen.summary.reach?.reached ?? 0) > 0 ? [] : ['no operation reached']),
  ];
}

async function tell(name: string, file: string): Promise<number> {
  const contract = await loadContract(file);
  let bad = 0;
  for (const behaviour of values.behaviours.split(',') as Behaviour[]) {
    const seen = await verify(file, contract, behaviour);
    const wrong = complaints(seen);
    bad += wrong.length;
    const { totals = {} } = seen.summary;
    process.stdout.write(
      `${wrong.length === 0 ? 'ok ' : 'BAD'} ${name} ${behaviour} · ${contract.operations.length} operations, first request ${(seen.firstMs / 1000).toFixed(1)} s (${(seen.firstCpuMs / 1000).toFixed(1)} s busy) ${Math.round(seen.firstMb)} MB · whole ${(seen.ms / 1000).toFixed(0)} s ${Math.round(seen.peakMb)} MB · ${totals['passed']} passed ${totals['failed']} failed ${totals['skipped']} skipped ${totals['errors']} errors ${totals['exchanges']} requests · ${seen.summary.reach?.reached} of ${seen.summary.reach?.of} reached · ${(seen.summary.findings ?? []).length} findings\n`,
    );
    for (const each of wrong) process.stdout.write(`    ${each}\n`);
    if (values.verbose || seen.code === null || seen.code > 1) process.stdout.write(`${seen.output.slice(-2000)}\n`);
  }
  return bad;
}

let bad = 0;
for (const file of positionals) bad += await tell(file.split('/').slice(-2).join('/'), file);
if (positionals.length === 0 && values.platform !== undefined) {
  const dir = mkdtempSync(join(tmpdir(), 'assay-platform-'));
  for (const operations of values.platform.split(',').map(Number)) {
    const file = join(dir, `platform-${operations}.json`);
    writeFileSync(file, JSON.stringify(describePlatform(operations)));
    bad += await tell(`platform ${operations}`, file);
  }
  rmSync(dir, { recursive: true, force: true });
} else if (positionals.length === 0) {
  const dir = mkdtempSync(join(tmpdir(), 'assay-odd-'));
  for (const dialect of values.dialects.split(',') as Dialect[]) {
    for (const operations of values.sizes.split(',').map(Number)) {
      const file = join(dir, `${dialect}-${operations}.json`);
      writeFileSync(file, JSON.stringify(describeOddly({ dialect, operations, auth: 'bearer' })));
      bad += await tell(`${dialect} ${operations}`, file);
    }
  }
  rmSync(dir, { recursive: true, force: true });
}
process.exitCode = bad === 0 ? 0 : 1;

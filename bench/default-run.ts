/**
 * The default run against the embedded service: its time, the time to the first result in the run log, and the memory of all its
 * processes, as medians of rounds. With `--before`, another build runs in between, and ratios are printed.
 *
 *   npm run build && npx tsx bench/default-run.ts [--rounds N] [--seed N] [--before PATH/dist/cli/main.js]
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../load/compare/statistics.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '3' },
    before: { type: 'string' },
  },
});

const SAMPLE_MS = 100;
const LOOK_MS = 4;

interface Round {
  readonly firstMs: number;
  readonly seconds: number;
  readonly peakMb: number;
}

/** Memory of a process and all below it in megabytes; pages that processes share count once (proportional set size). */
function memoryOf(pid: number): number {
  try {
    const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
    return own + children.reduce((sum, each) => sum + memoryOf(Number(each)), 0);
  } catch {
    return 0;
  }
}

async function verify(main: string): Promise<Round> {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const began = performance.now();
  const words = ['verify', '--seed', values.seed, '--out', 'report'];
  const child = spawn(process.execPath, [main, ...words], { cwd, stdio: 'ignore' });
  const log = join(cwd, 'report', 'run.ndjson');
  let firstMs = NaN;
  const look = setInterval(() => {
    if (!existsSync(log) || !readFileSync(log, 'utf8').includes('"type":"test"')) return;
    firstMs = performance.now() - began;
    clearInterval(look);
  }, LOOK_MS);
  let peakMb = 0;
  const sample = setInterval(() => (peakMb = Math.max(peakMb, memoryOf(child.pid ?? 0))), SAMPLE_MS);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(sample);
  clearInterval(look);
  rmSync(cwd, { recursive: true, force: true });
  if (code !== 0) throw new Error(`${main} ended with exit code ${String(code)}`);
  return { firstMs, seconds: (performance.now() - began) / 1000, peakMb };
}

function print(name: string, rounds: readonly Round[]): void {
  const [seconds, megabytes] = [rounds.map((each) => each.seconds), rounds.map((each) => each.peakMb)];
  const [s, mb] = [median(seconds).toFixed(1), Math.round(median(megabytes))];
  const first = rounds.map(({ firstMs }) => firstMs);
  console.log(`${name}: ${s} s, ${mb} MB (at most ${Math.round(Math.max(...megabytes))} MB)`);
  console.log(
    `  first result after ${Math.round(median(first))} ms (${Math.round(Math.min(...first))} to ${Math.round(Math.max(...first))})`,
  );
}

const now = join(import.meta.dirname, '../dist/cli/main.js');
const after: Round[] = [];
const before: Round[] = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  if (values.before !== undefined) before.push(await verify(values.before));
  after.push(await verify(now));
}
print('this build', after);
if (before.length > 0) {
  print('before', before);
  const ratio = (of: (round: Round) => number): string => (median(after.map(of)) / median(before.map(of))).toFixed(2);
  const [first, time, memory] = [
    ratio(({ firstMs }) => firstMs),
    ratio((each) => each.seconds),
    ratio((each) => each.peakMb),
  ];
  console.log(`ratios: first result ${first}, time ${time}, memory ${memory}`);
}

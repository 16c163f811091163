/**
 * Time and memory of the default run against the embedded service: median and maximum of rounds. With `--before`, another build
 * runs in between, and ratios are printed.
 *
 *   npm run build && npx tsx bench/memory.ts [--rounds N] [--seed N] [--before PATH/dist/cli/main.js]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../load/compare/statistics.ts';
import { memoryOf } from '../tests/hostile/meet.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '3' },
    before: { type: 'string' },
  },
});

const SAMPLE_MS = 100;

interface Round {
  readonly seconds: number;
  readonly peakMb: number;
}

async function verify(main: string): Promise<Round> {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const began = performance.now();
  const child = spawn(process.execPath, [main, 'verify', '--seed', values.seed], { cwd, stdio: 'ignore' });
  let peakMb = 0;
  const sample = setInterval(() => (peakMb = Math.max(peakMb, memoryOf(child.pid ?? 0))), SAMPLE_MS);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(sample);
  rmSync(cwd, { recursive: true, force: true });
  if (code !== 0) throw new Error(`${main} ended with exit code ${String(code)}`);
  return { seconds: (performance.now() - began) / 1000, peakMb };
}

function print(name: string, rounds: readonly Round[]): void {
  const [seconds, megabytes] = [rounds.map((each) => each.seconds), rounds.map((each) => each.peakMb)];
  const [s, mb] = [median(seconds).toFixed(1), Math.round(median(megabytes))];
  console.log(`${name}: ${s} s, ${mb} MB (at most ${Math.round(Math.max(...megabytes))} MB)`);
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
  console.log(`ratios: time ${ratio((each) => each.seconds)}, memory ${ratio((each) => each.peakMb)}`);
}

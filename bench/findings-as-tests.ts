/**
 * Share of the findings whose Vitest test fails on the service with the defects and passes on a healthy one. Each round enables
 * several random defects at once, so that findings get in each other's way as they do in a bad release. Needs a build
 * (`npm run build`); a round of 20 defects takes some five minutes.
 *
 *   npx tsx bench/findings-as-tests.ts [--defects 20] [--rounds 1] [--seed N] [--only DEFECT]... [--suites PATTERN] [--keep DIR]
 *
 * `--only` names the defects of the one round, `--suites` limits the run, `--keep` receives the reports and the outcomes. Lists the
 * tests that do not show their finding, and exits with 1 if there are any.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../load/engines/schedule.ts';
import { defectsOf } from '../prove/index.ts';
import { loadContract } from '../spec/index.ts';
import { shows, tryTests } from '../tests/command/finding-tests.ts';
import type { TriedTest } from '../tests/command/finding-tests.ts';
import { emptyDirectory, runAssay, serve } from '../tests/command/run-assay.ts';

const { values } = parseArgs({
  options: {
    defects: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
    suites: { type: 'string' },
    keep: { type: 'string' },
  },
});

const SPECIAL: ReadonlySet<string> = new Set(['hand-written', 'service']);

/** Draws defects: half of them written by hand or faults of the service, the others evenly from the operators. */
async function draw(random: () => number, count: number): Promise<readonly string[]> {
  const all = [...defectsOf(await loadContract()).values()];
  const special = all.filter(({ origin }) => SPECIAL.has(origin));
  const operators = [...new Set(all.map(({ origin }) => origin))].filter((origin) => !SPECIAL.has(origin));
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const drawn = new Set<string>();
  while (drawn.size < count) {
    const operator = pick(operators);
    const defect = pick(random() < 0.5 ? special : all.filter(({ origin }) => origin === operator));
    if (defect !== undefined) drawn.add(defect.name);
  }
  return [...drawn];
}

async function round(defects: readonly string[], seed: number): Promise<readonly TriedTest[]> {
  const [faulty, healthy] = await Promise.all([serve(defects.flatMap((name) => ['--fault', name])), serve()]);
  try {
    const cwd = values.keep === undefined ? emptyDirectory() : join(values.keep, String(seed));
    mkdirSync(cwd, { recursive: true });
    rmSync(join(cwd, 'assay-report'), { recursive: true, force: true });
    writeFileSync(join(cwd, 'defects.json'), JSON.stringify(defects, undefined, 2));
    const selected = values.suites === undefined ? [] : ['--only', values.suites];
    const words = ['verify', '--allow', 'all', '--seed', String(seed), '--report', 'vitest', ...selected];
    const ran = await runAssay(words, { cwd, env: { ...faulty.env, ASSAY_BASE_URL: faulty.baseUrl } });
    const report = join(cwd, 'assay-report');
    const hasTests = existsSync(join(report, 'vitest')) && readdirSync(join(report, 'vitest')).length > 0;
    if (!hasTests) console.log(`verify ended with ${ran.code} and without findings: ${ran.stderr.slice(0, 500)}`);
    const tried = hasTests ? await tryTests(report, faulty, healthy) : [];
    writeFileSync(join(cwd, 'outcomes.json'), JSON.stringify(tried, undefined, 2));
    return tried;
  } finally {
    await Promise.all([faulty.stop(), healthy.stop()]);
  }
}

const reason = ({ faulty, healthy }: TriedTest): string =>
  [
    ...(faulty.status === 'failed' ? [] : [`${faulty.status} on the faulty service`]),
    ...(healthy.status === 'passed' ? [] : [`${healthy.status} on the healthy one: ${healthy.message.split('\n')[0]}`]),
  ].join(', ');

const [all, bad]: [TriedTest[], TriedTest[]] = [[], []];
const first = Number(values.seed);
const rounds = values.only.length > 0 ? 1 : Number(values.rounds);
for (let seed = first; seed < first + rounds; seed += 1) {
  const drawn = values.only.length > 0 ? values.only : await draw(seededRandom(seed), Number(values.defects));
  const tried = await round(drawn, seed);
  const missed = tried.filter((each) => !shows(each));
  console.log(
    `seed ${seed}: ${drawn.length} defects, ${tried.length} tests, ${missed.length} do not show their finding`,
  );
  for (const each of missed) console.log(`  ${each.file}: ${reason(each)}`);
  all.push(...tried);
  bad.push(...missed);
}
console.log(`${all.length - bad.length} of ${all.length} tests show their finding`);
process.exitCode = bad.length === 0 && all.length > 0 ? 0 : 1;

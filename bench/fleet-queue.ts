import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../load/compare/statistics.ts';
import type { Summary } from '../reports/index.ts';
import { runAssay, serve, summaryIn } from '../tests/command/run-assay.ts';

/**
 * A fleet against one machine, at a queue of known capacity: p99 at 80% of it with Poisson arrivals, in turns and with the same seeds,
 * and the capacity that each of them finds. The agents, the broker and the target share the cores of this machine.
 *
 *     npm run build && npx tsx bench/fleet-queue.ts [--agents 3] [--rounds 4] [--seconds 30]
 */
const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '30' },
  },
});

/** Four workers that take 10 ms each. */
const [QUEUE, CAPACITY] = ['4:10', 400];
const SHARE = 0.8;
const FLEET = ['--fleet', 'local', '--agents', values.agents];

const dir = mkdtempSync(join(tmpdir(), 'assay-fleet-queue-'));
const target = await serve(['--port', '0', '--capacity', QUEUE]);

async function run(words: readonly string[]): Promise<Summary> {
  const common = ['--base-url', target.baseUrl, '--allow', 'all', '--out', dir, '--report', 'json', '--quiet'];
  const { code, stderr } = await runAssay([...words, ...common], { env: target.env });
  if (code !== 0) throw new Error(stderr);
  return summaryIn(dir);
}

/** p99 in milliseconds at 80% of the capacity. */
async function p99(seed: number, fleet: readonly string[]): Promise<number> {
  const rate = ['--rate', String(CAPACITY * SHARE), '--arrivals', 'poisson', '--threshold', 'errors<1%'];
  const words = [
    'load',
    'clue-ingestion',
    ...rate,
    '--duration',
    `${values.seconds}s`,
    '--seed',
    String(seed),
    ...fleet,
  ];
  const { scenarios = [] } = await run(words);
  return scenarios[0]?.latencyMs.p99 ?? NaN;
}

async function capacity(fleet: readonly string[]): Promise<number> {
  const summary = await run(['capacity', 'clue-ingestion', '--budget', '90s', ...fleet]);
  return summary.capacity?.rate ?? NaN;
}

try {
  const ratios: number[] = [];
  for (let seed = 1; seed <= Number(values.rounds); seed += 1) {
    const [one, many] = [await p99(seed, []), await p99(seed, FLEET)];
    ratios.push(many / one);
    console.log(`p99 at ${SHARE * 100}%, seed ${seed}: one machine ${one} ms, ${values.agents} agents ${many} ms`);
  }
  console.log(`p99 of the fleet is ${median(ratios).toFixed(3)} times that of one machine (median)`);
  for (const [name, fleet] of [
    ['one machine', []],
    [`${values.agents} agents`, FLEET],
  ] as const)
    console.log(`capacity of ${CAPACITY}/s: ${name} ${await capacity(fleet)}/s`);
} finally {
  await target.stop();
  rmSync(dir, { recursive: true, force: true });
}

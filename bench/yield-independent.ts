/**
 * Share of the defects of the independent service (`tests/independent`) that are caught within a number of requests. `verify --bail`
 * runs against each of them. Defects that violate no documented requirement cause warnings only and do not count.
 *
 *   npm run build && npx tsx bench/yield-independent.ts [NAME...] [--seed N] [--workers N] [--depth quick] [--latency MS]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Summary } from '../reports/index.ts';
import { runAssay } from '../tests/command/run-assay.ts';
import { DEFECTS } from '../tests/independent/defects.ts';
import { TOKENS } from '../tests/independent/service.ts';
import type { Layer } from '../tests/independent/service.ts';
import { start } from '../tests/independent/start.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '4' },
    workers: { type: 'string', default: '2' },
    depth: { type: 'string', default: 'standard' },
    latency: { type: 'string', default: '0' },
  },
});

const STEPS = [1000, 2000, 3000, 4000, 6000, 10_000, Infinity];

/** Exchanges have the numbers in which they were sent: `x12` is the twelfth. */
const lastOf = ({ steps }: Summary['findings'][number]): number =>
  Math.max(...steps.map(({ id }) => Number(id.slice(1))));

const delayMs = Number(values.latency);

const delayed: Layer = async (call, next) => {
  await sleep(delayMs);
  return next(call);
};

/** Requests sent up to the last one that shows the first violation; undefined where there is none. */
async function requestsUntilFound(name: string): Promise<number | undefined> {
  const defect = DEFECTS[name];
  if (defect === undefined) throw new Error(`there is no defect ${name}`);
  const { baseUrl, close } = await start(delayMs > 0 ? [defect, delayed] : [defect]);
  const out = mkdtempSync(join(tmpdir(), 'assay-yield-'));
  const chosen = ['--seed', values.seed, '--depth', values.depth];
  const words = ['verify', '--base-url', baseUrl, '--allow', 'all', ...chosen, '--bail', '1', '--out', out];
  const tokens = ['--token', TOKENS.full, '--limited-token', TOKENS.limited, '--expired-token', TOKENS.expired];
  try {
    await runAssay([...words, ...tokens], { cwd: out });
    const { findings } = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')) as Summary;
    const [violation] = findings.filter(({ fails }) => fails).toSorted((a, b) => lastOf(a) - lastOf(b));
    console.log(`${name}  ${violation === undefined ? 'not found' : `${lastOf(violation)}  ${violation.code}`}`);
    return violation === undefined ? undefined : lastOf(violation);
  } finally {
    await close();
    rmSync(out, { recursive: true, force: true });
  }
}

const names = positionals.length > 0 ? positionals : Object.keys(DEFECTS);
const queue = [...names];
const found: number[] = [];
const work = async (): Promise<void> => {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    const requests = await requestsUntilFound(name);
    if (requests !== undefined) found.push(requests);
  }
};
await Promise.all(Array.from({ length: Number(values.workers) }, work));
console.log(`${found.length} of ${names.length} defects caused a violation; share of these that were caught within:`);
for (const step of STEPS) {
  const share = (100 * found.filter((requests) => requests <= step).length) / Math.max(1, found.length);
  console.log(`${step === Infinity ? 'all' : String(step).padStart(6)} requests  ${share.toFixed(1)}%`);
}

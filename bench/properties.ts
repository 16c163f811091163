/**
 * Cases per second of `assay verify` over HTTP against the embedded service, and of Schemathesis, if it is installed, with the same
 * description and service: interleaved rounds, medians, their ratio. Needs a build (`npm run build`).
 * A case is one generated request with its check; other requests of a property (equivalent requests, reads, clean-up) are no cases.
 * Usage: tsx bench/properties.ts [--rounds N] [--runs CASES] [--only PATTERN,PATTERN]
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { startEmbedded } from '../cli/embedded.ts';
import { median } from '../load/compare/statistics.ts';
import { runAssay } from '../tests/command/run-assay.ts';
import { has } from './load-support.ts';

const WHOLE = 'properties/*';
const ONE_BY_ONE = [
  'properties/valid-parameters > GET /accesscontrolpolicies > generated*',
  'properties/valid-parameters > GET /aijobskills*',
  'properties/valid-bodies > POST /clue > generated*',
  'properties/valid-bodies > POST /admin/entity/ProcessClue > generated*',
  'properties/valid-bodies > PUT /aiagent/{id} > generated*',
];
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    runs: { type: 'string', default: '10000' },
    only: { type: 'string', default: ONE_BY_ONE.join(',') },
  },
});
const run = promisify(execFile);

interface Speed {
  readonly cases: number;
  readonly requests: number;
}

interface TestRecord {
  readonly type: string;
  readonly cases: number;
  readonly durationMs: number;
  readonly statuses: readonly { readonly count: number }[];
}

/** Cases and requests per second: of one test by its duration, of all tests by that of the command with start and clean-up. */
async function assay(only: string, more: readonly string[]): Promise<Speed> {
  const out = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const began = performance.now();
  await runAssay(['verify', '--only', only, '--seed', '1', '--out', out, ...more]);
  const whole = performance.now() - began;
  const records = readFileSync(join(out, 'run.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TestRecord)
    .filter(({ type, cases }) => type === 'test' && cases > 0);
  const seconds = (only === WHOLE ? whole : Math.max(...records.map(({ durationMs }) => durationMs))) / 1000;
  const requests = records.flatMap(({ statuses }) => statuses).reduce((sum, { count }) => sum + count, 0);
  return { cases: records.reduce((sum, { cases }) => sum + cases, 0) / seconds, requests: requests / seconds };
}

/** Cases per second of Schemathesis by its own count, over its whole run. */
async function schemathesis(): Promise<Speed> {
  const service = await startEmbedded();
  const description = fileURLToPath(new URL('../spec/openapi.yaml', import.meta.url));
  const began = performance.now();
  const { stdout } = await run(
    'schemathesis',
    [
      'run',
      description,
      '--url',
      service.baseUrl,
      '-H',
      `Authorization: Bearer ${service.tokens.full}`,
      '-n',
      '100',
      '--phases',
      'fuzzing',
    ],
    { timeout: 300_000, maxBuffer: 2 ** 28 },
  ).catch((error: unknown) => error as { readonly stdout: string });
  await service.stop();
  const cases = Number(/(\d+) generated/.exec(stdout)?.[1] ?? 0) / ((performance.now() - began) / 1000);
  return { cases, requests: cases };
}

const rivals: Record<string, () => Promise<Speed>> = {
  ...Object.fromEntries(values.only.split(',').map((only) => [only, () => assay(only, ['--runs', values.runs])])),
  [WHOLE]: () => assay(WHOLE, []),
  ...(has('schemathesis') ? { schemathesis } : {}),
};
const rounds: Record<string, Speed[]> = Object.fromEntries(Object.keys(rivals).map((name) => [name, []]));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const [name, measure] of Object.entries(rivals)) rounds[name]?.push(await measure());
}

function shown(rate: number): string {
  return Math.round(rate).toLocaleString('en').padStart(6);
}

const peer = median((rounds['schemathesis'] ?? []).map(({ cases }) => cases)) || 0;
for (const [name, speeds] of Object.entries(rounds)) {
  const [cases, requests] = [median(speeds.map((speed) => speed.cases)), median(speeds.map((speed) => speed.requests))];
  const ratio = peer > 0 ? `${(cases / peer).toFixed(1).padStart(6)} x Schemathesis` : '';
  console.log(`${shown(cases)} cases/s ${shown(requests)} requests/s ${ratio}  ${name}`);
}
if (peer === 0) console.log('no comparison: Schemathesis is not installed, or reported no cases');

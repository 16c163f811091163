import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { runSuites } from '../suites/index.ts';
import { startService } from '../service/start.ts';
import { EFFECTS } from '../spec/index.ts';

/* How many cases a second the properties try over HTTP against the embedded service, and how many Schemathesis tries on
 * the same description and service where it is installed. Figures of a busy machine are worth little: several rounds, the best counts. */

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, runs: { type: 'string', default: '3000' }, only: { type: 'string', default: 'properties/valid-parameters > GET /aijobskills,properties/valid-parameters > GET /accesscontrolpolicies > generated*,properties/valid-bodies > POST /clue > generated*,properties/valid-bodies > PUT /aiagent/{id} > generated*' } } });

interface Round {
  readonly cases: number;
  readonly exchanges: number;
  readonly seconds: number;
}

async function round(only: string): Promise<Round> {
  const service = await startService({});
  let [cases, exchanges, milliseconds] = [0, 0, 0];
  await runSuites({
    baseUrl: service.baseUrl, tokens: service.tokens, embedded: true, allow: EFFECTS, only: [only], skip: [], seed: 1, runs: Number(values.runs), settleMs: 1000,
    strict: false, journalDir: tmpdir(), runId: 'bench',
  }, (record) => {
    if (record.type !== 'test') return;
    cases += record.cases;
    exchanges += record.statuses.reduce((sum, { count }) => sum + count, 0);
    milliseconds = Math.max(milliseconds, record.durationMs);
  });
  await service.close();
  return { cases, exchanges, seconds: milliseconds / 1000 };
}

function rate(count: number, seconds: number): string {
  return Math.round(count / Math.max(seconds, 0.001)).toLocaleString('en').padStart(7);
}

for (const only of values.only.split(',')) {
  const rounds: Round[] = [];
  for (let index = 0; index < Number(values.rounds); index += 1) rounds.push(await round(only));
  const best = rounds.toSorted((a, b) => b.cases / b.seconds - a.cases / a.seconds)[0];
  if (best !== undefined) process.stdout.write(`${rate(best.cases, best.seconds)} cases/s ${rate(best.exchanges, best.seconds)} exchanges/s  ${only}\n`);
}

/** Cases a second of Schemathesis on the same service; undefined where it is not installed. */
async function schemathesis(): Promise<string | undefined> {
  if (spawnSync('schemathesis', ['--version']).status !== 0) return undefined;
  const service = await startService({});
  const began = performance.now();
  const description = new URL('../spec/openapi.yaml', import.meta.url).pathname;
  const { stdout } = spawnSync('schemathesis', ['run', description, '--url', service.baseUrl, '-H', `Authorization: Bearer ${service.tokens.full}`, '-n', '100', '--phases', 'fuzzing', '--checks', 'not_a_server_error'], { encoding: 'utf8', timeout: 300_000 });
  const seconds = (performance.now() - began) / 1000;
  await service.close();
  const cases = /(\d+) generated/.exec(stdout)?.[1];
  return cases === undefined ? 'Schemathesis ended without telling its cases' : `${rate(Number(cases), seconds)} cases/s  Schemathesis`;
}

process.stdout.write(`${(await schemathesis()) ?? 'Schemathesis is not installed: no comparison'}\n`);
process.exit(0);

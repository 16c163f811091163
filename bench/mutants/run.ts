import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startService } from '../../service/start.ts';
import { DOUBTFUL, MUTANTS, SETS } from './catalogue/index.ts';
import { startMutant } from './proxy.ts';
import { OPERATION_IDS, plainId } from './routes.ts';
import { batches, together } from './batch.ts';
import type { Mutant } from './types.ts';
import { tryAgain, verify } from './verify.ts';
import type { Again, Verdict } from './verify.ts';

const { values } = parseArgs({
  options: {
    cli: { type: 'string', default: new URL('../../dist/cli/main.js', import.meta.url).pathname },
    set: { type: 'string' },
    mutant: { type: 'string', default: '' },
    list: { type: 'string', default: '' },
    args: { type: 'string', default: '' },
    sample: { type: 'string', default: '1/1' },
    jobs: { type: 'string', default: '1' },
    batch: { type: 'string', default: '1' },
    log: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    focus: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
});

type Outcome = 'caught' | 'elsewhere' | 'missed' | 'error';

/** Caught: the run fails over an operation that the mutant broke. */
function outcome(mutant: Mutant, verdict: Verdict): Outcome {
  if (verdict.code === 0) return 'missed';
  if (verdict.code !== 1) return 'error';
  const broken = new Set(mutant.operations.map(plainId));
  const violations = verdict.findings.filter((finding) => finding.severity === 'violation');
  return violations.some((finding) => broken.has(plainId(finding.operation))) ? 'caught' : 'elsewhere';
}

interface Result {
  readonly name: string;
  readonly outcome: Outcome;
  readonly seconds: number;
  readonly hits: number;
  readonly seen: number;
  readonly checks: readonly string[];
  readonly messages: readonly string[];
  readonly tail: string;
  readonly again?: Again;
}

/** Leaves out operations of resources that no mutant touches: what finds a mutant among all operations finds it so as well, sooner. */
function focusOn(mutants: readonly Mutant[]): readonly string[] {
  const touched = new Set(mutants.flatMap((mutant) => mutant.operations.map(resourceOf)));
  return OPERATION_IDS.filter((id) => !touched.has(resourceOf(id))).flatMap((id) => ['--skip', id]);
}

/** The first segment of the path. */
function resourceOf(id: string): string {
  return plainId(id).split(/[ /]+/)[1] ?? '';
}

/** Runs the command against one mutant, or against some that touch different operations. */
async function examine(mutants: readonly Mutant[]): Promise<readonly Result[]> {
  const service = await startService({});
  const proxy = await startMutant({ upstream: service.baseUrl, mutant: together(mutants), tokens: service.tokens });
  const args = [...values.args.split(' ').filter((arg) => arg !== ''), ...(values.focus ? focusOn(mutants) : [])];
  const options = { cli: values.cli, baseUrl: proxy.baseUrl, tokens: service.tokens, args };
  const verdict = await verify(options);
  const told = values.again ? verdict.findings.find(({ severity }) => severity === 'violation') : undefined;
  const again = told === undefined ? undefined : await tryAgain(options, told);
  const checks = [
    ...new Set(
      verdict.findings.map(
        (finding) => `${finding.severity === 'violation' ? '' : '~'}${finding.check} @ ${finding.operation}`,
      ),
    ),
  ];
  const results = mutants.map((mutant): Result => ({
    name: mutant.name,
    outcome: outcome(mutant, verdict),
    seconds: verdict.milliseconds / 1000,
    hits: proxy.hits(),
    seen: proxy.seen(),
    checks,
    messages: verdict.findings.map(({ message }) => message),
    tail: verdict.tail,
    ...(again === undefined ? {} : { again }),
  }));
  await proxy.close();
  await service.close();
  return results;
}

function chosen(): readonly Mutant[] {
  const set = Object.entries(SETS).find(([name]) => name === values.set)?.[1] ?? MUTANTS;
  const names = values.list.split(',').filter((name) => name !== '');
  const matching = set.filter((mutant) =>
    names.length > 0 ? names.includes(mutant.name) : mutant.name.includes(values.mutant),
  );
  const [part = 1, of = 1] = values.sample.split('/').map(Number);
  return matching.filter((_, index) => index % of === part - 1);
}

function show(result: Result): void {
  const doubt = DOUBTFUL[result.name] === undefined ? '' : ` (doubtful: ${DOUBTFUL[result.name]})`;
  const again =
    result.again === undefined
      ? ''
      : `  ${result.again.replays ? `replays in ${result.again.exchanges}` : 'DOES NOT REPLAY'}, ${result.again.pastes ? 'pastes' : 'DOES NOT PASTE'}`;
  const line = `${result.outcome.padEnd(9)} ${result.name.padEnd(52)} ${result.seconds.toFixed(1).padStart(6)} s  ${String(result.hits).padStart(5)}/${result.seen} hits  ${result.checks.slice(0, 3).join(' · ')}${again}${doubt}\n`;
  process.stdout.write(line);
  if (values.verbose && result.outcome !== 'caught') process.stdout.write(`${result.tail}\n`);
  if (values.log !== undefined) appendFileSync(values.log, `${JSON.stringify(result)}\n`);
}

const waiting = batches(chosen(), Number(values.batch));
const results: Result[] = [];

async function work(): Promise<void> {
  for (let mutants = waiting.shift(); mutants !== undefined; mutants = waiting.shift()) {
    const found = await examine(mutants);
    results.push(...found);
    found.forEach(show);
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const count = (wanted: Outcome): number => results.filter((result) => result.outcome === wanted).length;
const sure = results.filter((result) => DOUBTFUL[result.name] === undefined);
process.stdout.write(
  `${results.length} mutants: ${count('caught')} caught, ${count('elsewhere')} caught elsewhere, ${count('missed')} missed, ${count('error')} errors; `,
);
process.stdout.write(
  `of the ${sure.length} beyond doubt ${sure.filter((result) => result.outcome === 'caught').length} caught\n`,
);
process.exitCode = results.every((result) => result.outcome === 'caught' || DOUBTFUL[result.name] !== undefined)
  ? 0
  : 1;

import { availableParallelism } from 'node:os';
import { FAULTS } from '../../service/start.ts';
import type { FaultName } from '../../service/start.ts';
import { CHECKS, EXIT } from '../../spec/index.ts';
import type { CheckEntry } from '../../spec/index.ts';
import { didYouMean } from '../nearest.ts';
import { refuse } from '../problems.ts';
import { judge } from '../../prove/judge.ts';
import type { FaultResult } from '../../prove/judge.ts';
import { openPool } from '../../prove/pool.ts';
import { catalogueLines, faultLine, healthyLine, verdictLines } from '../../prove/print.ts';
import { stagesFor } from '../../prove/plan.ts';
import { proveFault } from '../../prove/prove-fault.ts';
import type { AskedFault } from '../../prove/prove-fault.ts';
import type { ProveAnswer, RunJob } from '../../prove/job.ts';
import type { Invocation } from '../invocation.ts';

type ProveOption = 'workers' | 'list' | 'seed' | 'json' | 'config' | 'debug';

const ledger: Readonly<Record<string, CheckEntry>> = CHECKS;

function chosen({ operands, problems }: Invocation<ProveOption>): readonly FaultName[] {
  const known = Object.keys(FAULTS) as FaultName[];
  for (const name of operands.filter((word) => !Object.hasOwn(FAULTS, word))) {
    problems.push({
      thing: name,
      wrong: 'is no fault',
      mend: didYouMean(name, known) || `There are ${known.length}: assay prove --list`,
    });
  }
  return operands.length === 0 ? known : known.filter((name) => operands.includes(name));
}

const expectedOf = (name: string): string[] =>
  Object.keys(ledger).filter((check) => ledger[check]?.catches.includes(name));

/** A check with a judge of its own looks at every exchange, so its name chooses nearly every test. */
const isNarrow = (check: string): boolean => ledger[check]?.judge === undefined;

interface Matrix {
  readonly results: readonly FaultResult[];
  readonly healthy: ProveAnswer;
}

interface Building {
  readonly names: readonly FaultName[];
  /** True for the whole catalogue. */
  readonly whole: boolean;
  readonly seed: number;
  readonly run: RunJob;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

function askFor(name: FaultName, seed: number): AskedFault {
  const expected = expectedOf(name);
  return { name, fault: FAULTS[name], expected, narrow: expected.every(isNarrow) ? expected : [], seed };
}

async function buildMatrix({ names, whole, seed, run, signal, say }: Building): Promise<Matrix> {
  const width = Math.max(...names.map((name) => name.length));
  const asked = names.map((name) => askFor(name, seed));
  const tried = asked.flatMap(({ fault, narrow }) => stagesFor(fault, narrow)[0]?.only ?? []);
  const healthyRun = run({ only: whole ? [] : tried, skip: [], seed }, signal);
  const proveOne = async (each: AskedFault): Promise<FaultResult> => {
    const result = await proveFault(each, run, signal);
    if (!signal.aborted) say(faultLine(result, width));
    return result;
  };
  const results = await Promise.all(asked.map(proveOne));
  const healthy = await healthyRun;
  if (!signal.aborted) say(healthyLine(healthy));
  return { results, healthy };
}

/** Runs the suites against every fault of the catalogue and against none, and says which check caught which. */
export async function prove(invocation: Invocation<ProveOption>): Promise<number> {
  const { settings, problems, operands, signal } = invocation;
  const names = chosen(invocation);
  refuse(problems);
  if (settings.list) {
    process.stdout.write(`${catalogueLines(FAULTS, names).join('\n')}\n`);
    return EXIT.passed;
  }
  const whole = operands.length === 0;
  const began = performance.now();
  const pool = openPool(settings.workers ?? Math.min(4, Math.max(2, availableParallelism())));
  const say = (line: string): void => void process.stdout.write(settings.json ? '' : `${line}\n`);
  try {
    say(`${names.length} faults and the healthy service, seed ${settings.seed ?? 1}`);
    const { results, healthy } = await buildMatrix({
      names,
      whole,
      seed: settings.seed ?? 1,
      run: pool.run,
      signal,
      say,
    });
    if (signal.aborted) return EXIT.interrupted;
    const wrong = judge(results, ledger, healthy, whole);
    for (const line of verdictLines(results, wrong, performance.now() - began)) say(line);
    if (settings.json) process.stdout.write(`${JSON.stringify({ results, healthy, problems: wrong }, null, 2)}\n`);
    return wrong.length === 0 ? EXIT.passed : EXIT.failed;
  } finally {
    pool.close();
  }
}

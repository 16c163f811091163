import { availableParallelism } from 'node:os';
import { FAULTS } from '../../service/start.ts';
import type { FaultName } from '../../service/start.ts';
import { CHECKS, EXIT } from '../../spec/index.ts';
import type { CheckEntry } from '../../spec/index.ts';
import { didYouMean } from '../nearest.ts';
import { refuse } from '../problems.ts';
import { judge } from '../prove/judge.ts';
import type { FaultResult } from '../prove/judge.ts';
import { openPool } from '../prove/pool.ts';
import { catalogueLines, faultLine, healthyLine, verdictLines } from '../prove/print.ts';
import { proveFault } from '../prove/prove-fault.ts';
import type { ProveAnswer, RunJob } from '../prove/job.ts';
import type { Invocation } from '../invocation.ts';

type ProveOption = 'workers' | 'list' | 'seed' | 'json' | 'config' | 'debug';

const ledger: Readonly<Record<string, CheckEntry>> = CHECKS;

function chosen({ operands, problems }: Invocation<ProveOption>): readonly FaultName[] {
  const known = Object.keys(FAULTS) as FaultName[];
  for (const name of operands.filter((word) => !Object.hasOwn(FAULTS, word))) {
    problems.push({ thing: name, wrong: 'is no fault', mend: didYouMean(name, known) || `There are ${known.length}: assay prove --list` });
  }
  return operands.length === 0 ? known : known.filter((name) => operands.includes(name));
}

const expectedOf = (name: string): string[] => Object.keys(ledger).filter((check) => ledger[check]?.catches.includes(name));

/** A check with a judge of its own looks at every exchange, so its name chooses nearly every test. */
const isNarrow = (check: string): boolean => ledger[check]?.judge === undefined;

interface Matrix {
  readonly results: readonly FaultResult[];
  readonly healthy: ProveAnswer | undefined;
}

async function buildMatrix(names: readonly FaultName[], seed: number, run: RunJob, signal: AbortSignal, say: (line: string) => void): Promise<Matrix> {
  const width = Math.max(...names.map((name) => name.length));
  const healthyRun = run({ only: [], skip: [], seed }, signal);
  const results = await Promise.all(
    names.map(async (name) => {
      const expected = expectedOf(name);
      const narrow = expected.every(isNarrow) ? expected : [];
      const result = await proveFault({ name, fault: FAULTS[name], expected, narrow, seed }, run, signal);
      if (!signal.aborted) say(faultLine(result, width));
      return result;
    }),
  );
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
    return EXIT.kept;
  }
  const began = performance.now();
  const pool = openPool(settings.workers ?? Math.min(4, Math.max(2, availableParallelism())));
  const say = (line: string): void => void process.stdout.write(settings.json ? '' : `${line}\n`);
  try {
    say(`${names.length} faults and the healthy service, seed ${settings.seed ?? 1}`);
    const { results, healthy } = await buildMatrix(names, settings.seed ?? 1, pool.run, signal, say);
    if (signal.aborted) return EXIT.interrupted;
    const wrong = judge(results, ledger, healthy, operands.length === 0);
    for (const line of verdictLines(results, wrong, performance.now() - began)) say(line);
    if (settings.json) process.stdout.write(`${JSON.stringify({ results, healthy, problems: wrong }, null, 2)}\n`);
    return wrong.length === 0 ? EXIT.kept : EXIT.broken;
  } finally {
    pool.close();
  }
}

import type { Reporter } from 'vitest/node';
import type { Contract, RunRecord } from '../spec/index.ts';
import { defined } from '../spec/defined.ts';
import { loadContract } from '../spec/index.ts';
import { recordReporter } from './kit/reporter.ts';
import type { SuiteRunOptions } from './kit/options.ts';
import { SuiteRunner } from './runner.ts';
import type { RunSignals, VitestAdditions } from './runner.ts';

export type { SuiteRunOptions } from './kit/options.ts';

let prepared: SuiteRunner | undefined;

/** Starts the test runner for the next run, whose options are not known yet. `contract`: that of the run, where it is known. */
export function prepareRunner(contract?: Contract): void {
  prepared ??= new SuiteRunner({}, contract);
}

/** Ends the prepared test runner, if there is one that was not used. */
export function dropRunner(): void {
  prepared?.close();
  prepared = undefined;
}

/** The prepared test runner, or a new one. */
function takeRunner(): SuiteRunner {
  const runner = prepared ?? new SuiteRunner();
  prepared = undefined;
  return runner;
}

/** What a run may have besides its options. */
export interface SuiteRun extends RunSignals {
  /** Left out: the description of the options is loaded. */
  readonly contract?: Contract;
  /** Follows the tests. */
  readonly reporter?: Reporter;
  /** Called after the plan has been recorded. */
  readonly additions?: () => VitestAdditions;
}

/**
 * Runs the suites against a target. `onRecord` receives the plan first, then a record for each test as it ends. Resolves once the
 * last test has ended. The caller removes, from the journal, what the run created.
 */
export async function runSuites(
  options: SuiteRunOptions,
  onRecord: (record: RunRecord) => void,
  { signal, interrupt, contract, reporter, additions }: SuiteRun = {},
): Promise<void> {
  const known = contract ?? (await loadContract(options.specSource));
  recordPlan(known, options, onRecord);
  const runner = additions === undefined ? takeRunner() : new SuiteRunner(additions());
  const reporters = [recordReporter(onRecord), ...(reporter === undefined ? [] : [reporter])];
  await runner.run(options, known, reporters, { signal, interrupt });
}

/** Requirements that need a token, and why they are not tested without it. */
const NEEDED = [
  ['auth.expired', 'expired', 'no expired token was given (--expired-token)'],
  ['auth.tenant-isolation', 'otherTenant', 'no token of another tenant was given (otherTenant in tokens)'],
] as const;

/** Records the plan: all requirements and operations. */
function recordPlan(contract: Contract, { tokens }: SuiteRunOptions, onRecord: (record: RunRecord) => void): void {
  const reasonOf = (id: string): string | undefined =>
    NEEDED.find(([each, token]) => each === id && tokens[token] === undefined)?.[2];
  for (const each of contract.requirements)
    onRecord({ type: 'requirement', ...each, ...defined({ untestable: each.untestable ?? reasonOf(each.id) }) });
  for (const operation of contract.operations) {
    onRecord({
      type: 'operation',
      id: operation.id,
      forms: operation.forms.map((each) => each.name),
      section: operation.section ?? operation.tag,
      effect: operation.effect,
    });
  }
}

import type { Contract } from '../../spec/index.ts';
import type { SuiteRunOptions } from '../../suites/index.ts';
import { cleanJournals, countLeft, effectsRecord } from './clean.ts';
import type { Teller } from './record-run.ts';

/** Removes what the run left behind, and tells what became of all it made. */
export async function tidy(options: SuiteRunOptions, contract: Contract, teller: Teller): Promise<void> {
  const { runId, settleMs, journalDir } = options;
  const report = await cleanJournals({
    target: options,
    contract,
    runId,
    settleMs,
    ...(journalDir === undefined ? {} : { journalDir }),
  });
  teller.emit(effectsRecord(report));
}

/** What earlier runs left at a deployment goes first, where this run may send more than GET. */
export async function tidyEarlier(options: SuiteRunOptions, contract: Contract, teller: Teller): Promise<void> {
  const left = countLeft(options.baseUrl);
  if (left === 0) return;
  if (!options.allow.includes('reversible')) {
    teller.note(`An earlier run left ${left} things there; assay clean --base-url ${options.baseUrl} removes them.`);
    return;
  }
  const report = await cleanJournals({ target: options, contract, settleMs: options.settleMs });
  teller.note(`Removed ${report.removed} things that an earlier run left there.`);
}

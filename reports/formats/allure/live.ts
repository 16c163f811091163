import { fileURLToPath } from 'node:url';
import AllureVitestReporter from 'allure-vitest/reporter';
import type { RunRecord, RunStart, TestRecord } from '../../../spec/index.ts';
import { recordsOf } from '../../records.ts';
import { viewOf } from '../../view.ts';
import type { SummariseOptions } from '../../summary/summarise.ts';
import { identityOf } from './describe-test.ts';
import { clearOurs, listOurs, namesIn } from './directory.ts';
import { CATEGORIES, environmentOf, outcomesOf } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { contextOf } from './results.ts';

const SETUP = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './setup.ts' : './setup.js', import.meta.url));

/** What Vitest needs so that the suites report to Allure while they run. */
export interface LiveAllure {
  readonly reporters: AllureVitestReporter[];
  readonly setupFiles: string[];
  readonly provide: { readonly allureContext: ReturnType<typeof contextOf> };
  /** Call when the suites have ended: remembers what was written. */
  finish(): void;
}

/**
 * allure-vitest's own reporter for a run. It writes the results when the suites have ended; their outcome is then corrected by the
 * records (`records` grows during the run), for Vitest knows nothing of baselines and of reasons for skipping.
 */
export function allureWhileRunning(
  records: readonly RunRecord[],
  start: RunStart,
  options: SummariseOptions,
  dir: string,
): LiveAllure {
  clearOurs(dir);
  const before = new Set(namesIn(dir));
  let outcomes: ReadonlyMap<string, Outcome> | undefined;
  const reporter = new AllureVitestReporter({
    resultsDir: dir,
    reportMatchers: false,
    environmentInfo: environmentOf(start),
    categories: CATEGORIES,
    listeners: [
      {
        beforeTestResultWrite(result) {
          outcomes ??= outcomesByTest(records, options);
          Object.assign(
            result,
            outcomes.get(result.testCaseId ?? '') ?? outcomes.get(identityOf(result.name ?? '')) ?? {},
          );
        },
      },
    ],
  });
  return {
    reporters: [reporter],
    setupFiles: [SETUP],
    provide: { allureContext: contextOf(viewOf(records).summary) },
    finish: () =>
      listOurs(
        dir,
        namesIn(dir).filter((name) => !before.has(name)),
      ),
  };
}

function outcomesByTest(records: readonly RunRecord[], options: SummariseOptions): ReadonlyMap<string, Outcome> {
  const outcomeOf = outcomesOf(viewOf(records, options).summary);
  return new Map(recordsOf(records, 'test').map((test: TestRecord) => [identityOf(test.name), outcomeOf(test)]));
}

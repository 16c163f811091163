import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestResult } from 'allure-js-commons';
import type { EnvironmentInfo } from 'allure-js-commons/sdk';
import AllureVitestReporter from 'allure-vitest/reporter';
import type { RunRecord } from '../../../spec/index.ts';
import { recordsOf } from '../../records.ts';
import type { SummariseOptions } from '../../summary/summarise.ts';
import { viewOf } from '../../view.ts';
import { identityOf } from './describe-test.ts';
import type { AllureContext } from './describe-test.ts';
import { clearOurs, listOurs } from './directory.ts';
import { CATEGORIES, environmentIn, allureOutcomes } from './outcome.ts';
import type { AllureOutcome } from './outcome.ts';
import { contextOf } from './results.ts';

const SETUP = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './setup.ts' : './setup.js', import.meta.url));

export interface LiveAllure {
  /** Additions to Vitest's configuration; to be called when the records hold the plan of the run. */
  readonly vitest: () => {
    readonly reporters: AllureVitestReporter[];
    readonly setupFiles: string[];
    readonly provide: { readonly allureContext: AllureContext };
  };
  /** To be called when the suites have ended. */
  finish(): void;
}

/** allure-vitest's reporter with the outcomes of the records: Vitest knows no baselines, and allure-vitest no reasons for skipping. */
export function allureWhileRunning(
  records: readonly RunRecord[],
  { out, ...options }: SummariseOptions & { readonly out: string },
): LiveAllure {
  const dir = join(out, 'allure-results');
  clearOurs(dir);
  const before = new Set(readdirSync(dir));
  return {
    vitest: () => {
      const { summary } = viewOf(records);
      return {
        reporters: [reporterFor(dir, environmentIn(summary), () => outcomesByTest(records, options))],
        setupFiles: [SETUP],
        provide: { allureContext: contextOf(summary) },
      };
    },
    finish: () =>
      listOurs(
        dir,
        readdirSync(dir).filter((name) => !before.has(name)),
      ),
  };
}

function reporterFor(
  resultsDir: string,
  environmentInfo: EnvironmentInfo,
  outcomes: () => ReadonlyMap<string, AllureOutcome>,
): AllureVitestReporter {
  let known: ReadonlyMap<string, AllureOutcome> | undefined;
  const beforeTestResultWrite = (result: TestResult): void => {
    known ??= outcomes();
    Object.assign(result, known.get(result.testCaseId ?? identityOf(result.name ?? '')));
  };
  const listeners = [{ beforeTestResultWrite }];
  return new AllureVitestReporter({
    resultsDir,
    environmentInfo,
    reportMatchers: false,
    categories: CATEGORIES,
    listeners,
  });
}

function outcomesByTest(records: readonly RunRecord[], options: SummariseOptions): ReadonlyMap<string, AllureOutcome> {
  const outcomeOf = allureOutcomes(viewOf(records, options).summary);
  return new Map(recordsOf(records, 'test').map((test) => [identityOf(test.name), outcomeOf(test)]));
}

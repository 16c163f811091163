import { inject } from 'vitest';
import { declareTests } from './define-test.ts';
import { mayBeSelected } from './select.ts';
import { openSession } from './session.ts';

/** Files of tests by the suite of their tests. */
type SuiteFiles = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Loads files of tests one after another, as far as the run can select any of their tests, and declares their tests: all that
 * are not declared yet, those that go through `one-form` of their operation, or those that failed in an earlier run.
 */
export async function loadSuites(
  files: readonly SuiteFiles[],
  pass: 'failed-before' | 'one-form' | 'all-forms' = 'all-forms',
): Promise<void> {
  await openSession();
  const { only, skip, failedBefore = [] } = inject('assay');
  const failed = new Set(failedBefore);
  const suites = new Set(failedBefore.map((name) => name.split(' > ', 1)[0]));
  const due = files
    .flatMap((each) => Object.entries(each))
    .filter(([suite]) => mayBeSelected(suite, only, skip) && (pass !== 'failed-before' || suites.has(suite)));
  for (const [, load] of due) await load();
  const loaded = new Set(due.map(([suite]) => suite));
  if (pass === 'failed-before') declareTests(({ name }) => failed.has(name), 'in turn');
  else declareTests(({ suite, isFirstForm }) => loaded.has(suite) && (isFirstForm || pass === 'all-forms'));
}

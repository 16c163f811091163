import { declareTests } from './define-test.ts';
import { givenOptions } from './given-options.ts';
import { mayBeSelected } from './select.ts';
import { openSession } from './session.ts';

/** Loaders of files with tests, by the suite of the tests. */
export type SuiteFiles = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Loads the files of which the run may select a test, one after another, and declares their tests: all that are not declared yet
 * (`all-forms`), one form of each operation (`one-form`), those that are not isolated (`not-isolated`), or those that failed in an
 * earlier run (`failed-before`).
 */
export async function loadSuites(
  files: readonly SuiteFiles[],
  pass: 'failed-before' | 'one-form' | 'not-isolated' | 'all-forms' = 'all-forms',
): Promise<void> {
  const session = await openSession();
  const { only, skip, failedBefore = [] } = await givenOptions();
  const failed = new Set(failedBefore);
  const suites = new Set(failedBefore.map((name) => name.split(' > ', 1)[0]));
  const due = files
    .flatMap((each) => Object.entries(each))
    .filter(([suite]) => mayBeSelected(suite, only, skip) && (pass !== 'failed-before' || suites.has(suite)));
  for (const [, load] of due) await load();
  const loaded = new Set(due.map(([suite]) => suite));
  if (pass === 'failed-before') declareTests(session, ({ name }) => failed.has(name), 'sequential');
  else
    declareTests(session, ({ suite, isEarly, isolated }) => {
      const isLater = pass === 'one-form' ? !isEarly : isolated && pass === 'not-isolated';
      return loaded.has(suite) && !isLater;
    });
}

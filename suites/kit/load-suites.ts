import { inject } from 'vitest';
import { declareTests } from './define-test.ts';
import { mayBeSelected } from './select.ts';
import { openSession } from './session.ts';

/**
 * Loads files of tests one after another, by the suite of their tests, as far as the run can select any of these, and declares
 * their tests: all that are not declared yet, or those that go through `one-form` of their operation.
 */
export async function loadSuites(
  files: Readonly<Record<string, () => Promise<unknown>>>,
  pass: 'one-form' | 'all-forms' = 'all-forms',
): Promise<void> {
  await openSession();
  const { only, skip } = inject('assay');
  const suites = Object.keys(files).filter((suite) => mayBeSelected(suite, only, skip));
  for (const suite of suites) await files[suite]?.();
  declareTests(({ suite, isFirstForm }) => suites.includes(suite) && (isFirstForm || pass === 'all-forms'));
}

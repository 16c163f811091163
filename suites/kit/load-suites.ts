import { declareTests } from './define-test.ts';
import { givenOptions } from './given-options.ts';
import { mayBeSelected } from './select.ts';
import { openSession } from './session.ts';

/** Loaders of files with tests, by the suite of the tests. */
export type SuiteFiles = Readonly<Record<string, () => Promise<unknown>>>;

/** Leaves tests for later groups: all but one form of each operation, isolated tests, tests that wait for what appears late. */
type Limit = 'one-form' | 'not-isolated' | 'not-awaited';

/**
 * Loads the files of which the run may select a test, one after another, and declares their tests that are not declared yet, except
 * those that a limit leaves for later.
 */
export async function loadSuites(files: readonly SuiteFiles[], ...limits: readonly Limit[]): Promise<void> {
  await loadParts([{ files, limits }]);
}

/** As {@link loadSuites}, for files with different limits whose tests run beside each other. */
export async function loadParts(
  parts: readonly { readonly files: readonly SuiteFiles[]; readonly limits: readonly Limit[] }[],
): Promise<void> {
  const session = await openSession();
  const { only, skip } = await givenOptions();
  const limitsOf = new Map<string, readonly Limit[]>();
  for (const { files, limits } of parts)
    for (const [suite, load] of entriesOf(files)) {
      if (!mayBeSelected(suite, only, skip)) continue;
      await load();
      limitsOf.set(suite, limits);
    }
  declareTests(session, ({ suite, isEarly, isolated, isAwaited }) => {
    const left = { 'one-form': !isEarly, 'not-isolated': isolated, 'not-awaited': isAwaited };
    return limitsOf.get(suite)?.some((limit) => left[limit]) === false;
  });
}

/** As {@link loadSuites}, for the tests that failed in the run before and need no wait, which run one after another. */
export async function loadFailedBefore(files: readonly SuiteFiles[]): Promise<void> {
  const session = await openSession();
  const { only, skip, failedBefore = [] } = await givenOptions();
  const failed = new Set(failedBefore);
  const suites = new Set(failedBefore.map((name) => name.split(' > ', 1)[0]));
  for (const [suite, load] of entriesOf(files)) if (mayBeSelected(suite, only, skip) && suites.has(suite)) await load();
  declareTests(session, ({ name, isAwaited }) => failed.has(name) && !isAwaited, 'sequential');
}

function entriesOf(files: readonly SuiteFiles[]): readonly (readonly [string, () => Promise<unknown>])[] {
  return files.flatMap((each) => Object.entries(each));
}

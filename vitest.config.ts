import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

const FOLDERS = '{spec,generators,client,domain,suites,load,prove,fleet,reports,service,cli}';
const SLOW = '**/*.e2e.test.ts';

/** The files that take longest. Without a cache, as in a clean clone, Vitest begins with those of the most bytes. */
const LONGEST = ['prove/sample.e2e.test.ts', 'tests/fleet.test.ts', 'tests/independent/independent.test.ts'];

/** Begins with the longest files, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** `unit`: tests beside the code, and the rules of the repository. `e2e`: tests of the built command, of a browser, of whole runs. */
export default defineConfig({
  test: {
    tags: [{ name: 'nightly', description: 'Takes long and seldom fails alone: `npm run test:all`, not `npm test`.' }],
    pool: 'forks',
    // Most tests wait for processes and servers of their own: four at a time keep two cores busy.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    globalSetup: ['tests/temporary-folder.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // The files of a worker share their modules, which takes half of the time.
          isolate: false,
          // A colour is decided when a module is loaded, and a CI machine asks for colours.
          env: { FORCE_COLOR: '0' },
          include: [`${FOLDERS}/**/*.test.ts`, 'tests/architecture/*.test.ts'],
          exclude: [SLOW],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          // As above: isolated, the files take 40 s of processor time to import what they share, and 17 s so.
          isolate: false,
          // These depend on time, and a CI machine may stand still: there, they have to fail twice.
          retry: process.env['CI'] === undefined ? 0 : 1,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          include: ['tests/**/*.test.ts', SLOW],
          exclude: ['**/node_modules/**', 'dist/**', 'tests/architecture/**'],
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

const FOLDERS = '{spec,generators,client,domain,suites,load,prove,fleet,reports,service,cli}';
const SLOW = '**/*.e2e.test.ts';

/** `unit`: tests beside the code, and the rules of the repository. `e2e`: tests of the built command, of a browser, of whole runs. */
export default defineConfig({
  test: {
    tags: [{ name: 'nightly', description: 'Takes long and seldom fails alone: `npm run test:all`, not `npm test`.' }],
    pool: 'forks',
    // Most tests wait for processes and servers of their own: four at a time keep two cores busy.
    maxWorkers: 4,
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
          include: ['tests/**/*.test.ts', 'bench/**/*.test.ts', SLOW],
          exclude: ['**/node_modules/**', 'dist/**', 'tests/architecture/**'],
        },
      },
    ],
  },
});

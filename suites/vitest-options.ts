import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { startVitest } from 'vitest/node';
import { GroupSequencer } from './kit/groups.ts';

type Options = NonNullable<Parameters<typeof startVitest>[2]>;
type ViteOptions = NonNullable<Parameters<typeof startVitest>[3]>;

const HERE = dirname(fileURLToPath(import.meta.url));

/** Suites are `.suite.ts` in the sources and `.suite.js` where they were compiled. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Compiled modules are loaded as they are; only the files of the groups go through Vite. Sources all do. */
const COMPILED = EXTENSION === 'js' ? [/^(?!.*[\\/]groups[\\/][^\\/]*\.suite\.js$).*\.js$/] : [];

/**
 * V8 lets the heap of a program that allocates much grow to four times what is alive. 1.6 times takes 3% more time for the
 * default run than twice, and 25 MB less; a young generation of 4 MB in place of 8 would take 8% more time for 20 MB.
 */
const SMALL_HEAP = ['--heap-growing-percent=60', '--max-semi-space-size=8'];

/** How Vitest runs the suites, or finds out which tests there are; their options are in the file. */
export function vitestOptions(optionsFile: string): Options {
  return {
    root: HERE,
    dir: HERE,
    config: false,
    watch: false,
    include: [`groups/*.suite.${EXTENSION}`],
    exclude: [],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    execArgv: [...process.execArgv, ...SMALL_HEAP],
    fileParallelism: false,
    // `TestScheduler` decides which tests run at the same time.
    maxConcurrency: Number.MAX_SAFE_INTEGER,
    sequence: { sequencer: GroupSequencer },
    server: { deps: { external: COMPILED } },
    testTimeout: 0,
    hookTimeout: 0,
    passWithNoTests: true,
    env: { ASSAY_SUITES: '1' },
    provide: { assay: optionsFile },
  };
}

export function viteOptions(cacheDir: string): ViteOptions {
  return { cacheDir, logLevel: 'silent' };
}

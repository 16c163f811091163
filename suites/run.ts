import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Vitest } from 'vitest/node';
import type { RunRecord } from '../spec/index.ts';
import { loadContract } from '../spec/index.ts';
import { InOrder } from './session/in-order.ts';
import { recordReporter } from './session/reporter.ts';
import type { SuiteRunOptions } from './session/settings.ts';

export type { SuiteRunOptions } from './session/settings.ts';

const HERE = dirname(fileURLToPath(import.meta.url));

/** Suites are `.suite.ts` in the sources and `.suite.js` where they were compiled. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Compiled modules are loaded as they are; only the suites themselves go through Vite. Sources all do. */
const COMPILED = EXTENSION === 'js' ? [/^(?!.*\.suite\.js$).*\.js$/] : [];

/** Most tests of one file that run side by side. */
const SIDE_BY_SIDE = 12;

/**
 * Runs the suites against a target and hands over what they find, record by record: the plan first, then a record for each
 * test as it ends. Resolves once the last test has ended; an abort lets tests that have begun end and starts no more.
 * What the run created is removed by the caller, from the journal.
 */
export async function runSuites(options: SuiteRunOptions, onRecord: (record: RunRecord) => void, signal?: AbortSignal): Promise<void> {
  await announce(options, onRecord);
  const cacheDir = await mkdtemp(join(tmpdir(), 'assay-vitest-'));
  const { startVitest } = await import('vitest/node');
  const exitCode = process.exitCode;
  const reporter = recordReporter(onRecord);
  let vitest: Vitest | undefined;
  const stop = (): void => { void vitest?.cancelCurrentRun('keyboard-input'); };
  signal?.addEventListener('abort', stop);
  try {
    vitest = await startVitest('test', [], {
      root: HERE,
      dir: HERE,
      config: false,
      watch: false,
      include: [`**/*.suite.${EXTENSION}`],
      exclude: [],
      pool: 'forks',
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      maxConcurrency: SIDE_BY_SIDE,
      sequence: { sequencer: InOrder },
      server: { deps: { external: COMPILED } },
      testTimeout: 0,
      hookTimeout: 0,
      passWithNoTests: true,
      env: { ASSAY_SUITES: '1' },
      provide: { assay: options },
      reporters: [{
        ...reporter,
        onInit(started: Vitest) {
          vitest = started;
          if (signal?.aborted === true) stop();
        },
      }],
    }, { cacheDir, logLevel: 'silent' });
    await vitest?.close();
  } finally {
    signal?.removeEventListener('abort', stop);
    process.exitCode = exitCode;
    await rm(cacheDir, { recursive: true, force: true });
  }
}

/** The plan: what the matrix has rows for, and all promises. */
async function announce(options: SuiteRunOptions, onRecord: (record: RunRecord) => void): Promise<void> {
  const contract = await loadContract(options.specSource);
  for (const requirement of contract.requirements) onRecord({ type: 'requirement', ...requirement });
  for (const operation of contract.operations) {
    onRecord({
      type: 'operation',
      id: operation.id,
      forms: operation.forms.map((each) => each.name),
      section: operation.section ?? operation.tag,
      effect: operation.effect,
    });
  }
}

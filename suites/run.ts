import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProvidedContext } from 'vitest';
import type { Reporter, Vitest } from 'vitest/node';
import type { Contract, RunRecord } from '../spec/index.ts';
import { loadContract, packContract } from '../spec/index.ts';
import { recordReporter } from './kit/reporter.ts';
import type { SuiteRunOptions } from './kit/options.ts';
import { viteOptions, vitestOptions } from './vitest-options.ts';

export type { SuiteRunOptions } from './kit/options.ts';

/** Additions to the configuration of Vitest, for further reporters. */
export interface VitestAdditions {
  readonly reporters?: readonly Reporter[];
  readonly setupFiles?: readonly string[];
  readonly provide?: Partial<ProvidedContext>;
}

/** Loads the test runner, which takes a tenth of a second, while the caller waits for something else. */
export function preloadRunner(): void {
  import('vitest/node').catch(() => {
    // The run imports it again, and reports the error.
  });
}

/**
 * Runs the suites against a target. `onRecord` receives the plan first, then a record for each test as it ends. Resolves once the
 * last test has ended; an abort starts no more tests and lets running ones end. The caller removes, from the journal, what the
 * run created. Without `contract`, the description is loaded. `additions` is called after the plan has been recorded.
 */
export async function runSuites(
  options: SuiteRunOptions,
  onRecord: (record: RunRecord) => void,
  signal?: AbortSignal,
  contract?: Contract,
  additions?: () => VitestAdditions,
): Promise<void> {
  const known = contract ?? (await loadContract(options.specSource));
  recordPlan(known, onRecord);
  const cacheDir = await mkdtemp(join(tmpdir(), 'assay-vitest-'));
  const removeAtOnce = (): void => rmSync(cacheDir, { recursive: true, force: true });
  process.once('exit', removeAtOnce);
  const contractFile = join(cacheDir, 'contract');
  await writeFile(contractFile, packContract(known));
  const { startVitest } = await import('vitest/node');
  const exitCode = process.exitCode;
  const reporter = recordReporter(onRecord);
  const { reporters = [], setupFiles = [], provide = {} } = additions?.() ?? {};
  const ours = vitestOptions({ ...options, contractFile });
  let vitest: Vitest | undefined;
  const stop = (): void => {
    void vitest?.cancelCurrentRun('keyboard-input');
  };
  signal?.addEventListener('abort', stop);
  try {
    vitest = await startVitest(
      'test',
      [],
      {
        ...ours,
        setupFiles: [...setupFiles],
        provide: { ...ours.provide, ...provide },
        reporters: [
          {
            ...reporter,
            onInit(started: Vitest) {
              vitest = started;
              if (signal?.aborted === true) stop();
            },
          },
          ...reporters,
        ],
      },
      viteOptions(cacheDir),
    );
    await vitest?.close();
  } finally {
    signal?.removeEventListener('abort', stop);
    process.exitCode = exitCode;
    await rm(cacheDir, { recursive: true, force: true });
    process.off('exit', removeAtOnce);
  }
}

/** Records the plan: all requirements and operations. */
function recordPlan(contract: Contract, onRecord: (record: RunRecord) => void): void {
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

import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import type { ProvidedContext } from 'vitest';
import type { Reporter, Vitest } from 'vitest/node';
import type { Contract } from '../spec/index.ts';
import { packContract } from '../spec/index.ts';
import { contractFileOf, interruptFileOf } from './kit/options.ts';
import type { SuiteRunOptions } from './kit/options.ts';
import { viteOptions, vitestOptions } from './vitest-options.ts';

/** Additions to the configuration of Vitest, for further reporters. */
export interface VitestAdditions {
  readonly reporters?: readonly Reporter[];
  readonly setupFiles?: readonly string[];
  readonly provide?: Partial<ProvidedContext>;
}

export interface RunSignals {
  /** An abort starts no more tests and lets running ones end. */
  readonly signal?: AbortSignal | undefined;
  /** An abort also ends the running tests: they send nothing more. */
  readonly interrupt?: AbortSignal | undefined;
}

/** Writes a file that the worker may be waiting for. */
function write(file: string, bytes: Uint8Array): void {
  writeFileSync(`${file}.part`, bytes);
  renameSync(`${file}.part`, file);
}

/** Vitest for one run. Its worker starts at once, loads what the suites need, and waits for the options of the run. */
export class SuiteRunner {
  readonly #dir = mkdtempSync(join(tmpdir(), 'assay-vitest-'));
  readonly #reporters: Reporter[] = [];
  readonly #ended: Promise<void>;
  #vitest: Vitest | undefined;
  #isStopped = false;

  /** `contract`: that of the run, probably, which the worker compiles while it waits. */
  constructor(additions: VitestAdditions = {}, contract?: Contract) {
    process.once('exit', this.#remove);
    if (contract !== undefined) write(contractFileOf(this.#options), packContract(contract));
    this.#ended = this.#start(additions);
    // `run` reports it.
    this.#ended.catch(() => {});
  }

  /** Gives the worker its options, and resolves when the last test has ended. */
  async run(
    options: SuiteRunOptions,
    contract: Contract,
    reporters: readonly Reporter[],
    { signal, interrupt }: RunSignals,
  ): Promise<void> {
    if (signal?.aborted === true || interrupt?.aborted === true) return this.close();
    this.#reporters.push(...reporters);
    const contractFile = contractFileOf(this.#options);
    write(contractFile, packContract(contract));
    const stop = (): void => {
      if (interrupt?.aborted === true) write(interruptFileOf(this.#options), new Uint8Array());
      this.#stop();
    };
    signal?.addEventListener('abort', stop);
    interrupt?.addEventListener('abort', stop);
    try {
      write(this.#options, serialize({ ...options, contractFile }));
      await this.#ended;
    } finally {
      signal?.removeEventListener('abort', stop);
      interrupt?.removeEventListener('abort', stop);
      this.#remove();
    }
  }

  /** Ends a runner that has got no options. */
  close(): void {
    writeFileSync(this.#options, '');
    void this.#ended.catch(() => {}).finally(this.#remove);
  }

  get #options(): string {
    return join(this.#dir, 'options');
  }

  async #start({ reporters = [], setupFiles = [], provide = {} }: VitestAdditions): Promise<void> {
    const { startVitest } = await import('vitest/node');
    const { exitCode } = process;
    const ours = vitestOptions(this.#options);
    const given = {
      ...ours,
      setupFiles: [...setupFiles],
      provide: { ...ours.provide, ...provide },
      reporters: [this.#reporter(), ...reporters],
    };
    try {
      const vitest = await startVitest('test', [], given, viteOptions(this.#dir));
      await vitest.close();
    } finally {
      process.exitCode = exitCode;
    }
  }

  /** Passes what Vitest reports on to the reporters of the run, which are known later. */
  #reporter(): Reporter {
    return {
      onInit: (vitest) => {
        this.#vitest = vitest;
        if (this.#isStopped) this.#stop();
      },
      onTestModuleCollected: (module) => {
        // Vitest forgets a stop from before its run began.
        if (this.#isStopped) this.#stop();
        this.#reporters.forEach((each) => each.onTestModuleCollected?.(module));
      },
      onTestCaseResult: (test) => this.#reporters.forEach((each) => each.onTestCaseResult?.(test)),
      onTestModuleEnd: (module) => this.#reporters.forEach((each) => each.onTestModuleEnd?.(module)),
      onTestRunEnd: (...end) => this.#reporters.forEach((each) => each.onTestRunEnd?.(...end)),
    };
  }

  #stop(): void {
    this.#isStopped = true;
    void this.#vitest?.cancelCurrentRun('keyboard-input');
  }

  readonly #remove = (): void => {
    process.off('exit', this.#remove);
    rmSync(this.#dir, { recursive: true, force: true });
  };
}

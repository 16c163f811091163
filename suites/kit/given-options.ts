import { existsSync, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { inject } from 'vitest';
import { compileAhead } from './known-contract.ts';
import { contractFileOf, interruptFileOf } from './options.ts';
import type { SuiteRunOptions } from './options.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that will contain the options of the run, or nothing if there is none. */
    assay: string;
  }
}

const LOOK_MS = 50;

let given: Promise<SuiteRunOptions> | undefined;

async function read(file: string): Promise<SuiteRunOptions> {
  const contractFile = contractFileOf(file);
  if (existsSync(contractFile))
    await compileAhead(await readFile(contractFile), () => existsSync(file)).catch(() => {
      // Its error comes again in the tests.
    });
  while (!existsSync(file)) {
    if (process.send !== undefined && !process.connected) throw new Error('the command ended before the run began');
    await sleep(LOOK_MS);
  }
  const bytes = await readFile(file);
  if (bytes.length === 0) throw new Error('the command needs no run');
  return deserialize(bytes) as SuiteRunOptions;
}

/** The options of the run, in a worker of Vitest that may have started before they were known. */
export function givenOptions(): Promise<SuiteRunOptions> {
  return (given ??= read(inject('assay')));
}

/** Resolves once the command interrupts the run. */
export function interruptOfRun(): Promise<void> {
  const file = interruptFileOf(inject('assay'));
  return new Promise((resolve) => {
    // Also called once for a file that does not exist.
    watchFile(file, { persistent: false, interval: LOOK_MS }, ({ nlink }) => {
      if (nlink > 0) resolve();
    });
  });
}

import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { REPORT_FILES } from '../formats/index.ts';

/** The run log in a report directory. */
const LOG_NAME = 'run.ndjson';

/** Path of the run log in `dir`. */
export function logPath(dir: string): string {
  return join(dir, LOG_NAME);
}

/** The log of one run: each record is one line, handed to the operating system before `write` returns. */
export interface RunLog {
  readonly path: string;
  write(record: RunRecord): void;
  close(): void;
}

/**
 * Opens the log of a run in `dir`, which is made where it is missing. Its first record replaces the log and the reports of an
 * earlier run. Throws an {@link AssayError} (exit 2) where the directory can't be written to.
 */
export function openLog(dir: string): RunLog {
  const path = logPath(dir);
  const isNew = !existsSync(path);
  const file = orRefused(path, () => create(dir, path));
  let open = true;
  let isEmpty = true;
  return {
    path,
    write(record) {
      if (!open) return;
      if (isEmpty && !isNew) orRefused(path, () => removeEarlier(dir, file));
      isEmpty = false;
      writeWhole(file, Buffer.from(`${JSON.stringify(record)}\n`));
    },
    close() {
      if (!open) return;
      open = false;
      closeSync(file);
      if (isEmpty && isNew) rmSync(path, { force: true });
    },
  };
}

function orRefused<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new AssayError(
      `cannot write the run log ${path} (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`,
      { hint: 'choose a writable directory with --out DIR', exitCode: EXIT.usage, cause },
    );
  }
}

function create(dir: string, path: string): number {
  makeFolder(dir);
  return openSync(path, 'a');
}

/** Reports of an earlier run would be taken for this run's. */
function removeEarlier(dir: string, file: number): void {
  for (const name of REPORT_FILES) rmSync(join(dir, name), { force: true });
  ftruncateSync(file);
}

/** Node's own `recursive` never returns where a file system refuses a folder with ENOENT, as /proc does. */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return;
  makeFolder(dirname(dir));
  mkdirSync(dir);
}

function writeWhole(file: number, bytes: Buffer): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(file, bytes, done);
}

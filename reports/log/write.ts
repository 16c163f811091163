import { closeSync, existsSync, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../spec/make-folder.ts';
import { claim } from '../../spec/owner.ts';
import { usageError } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { REPORT_FILES } from '../formats/index.ts';

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
 * earlier run. Throws an {@link AssayError} (exit 2) where the directory can't be written to, or where another run is using it.
 */
export function openLog(dir: string): RunLog {
  const path = logPath(dir);
  orUnwritable(path, () => makeFolder(dir));
  const isNew = !existsSync(path);
  const file = orUnwritable(path, () => openSync(path, 'a'));
  const release = occupy(dir, path);
  let open = true;
  let isEmpty = true;
  return {
    path,
    write(record) {
      if (!open) return;
      if (isEmpty && !isNew) orUnwritable(path, () => removeEarlier(dir, file));
      isEmpty = false;
      writeFileSync(file, `${JSON.stringify(record)}\n`);
    },
    close() {
      if (!open) return;
      open = false;
      closeSync(file);
      if (isEmpty && isNew) rmSync(path, { force: true });
      release();
    },
  };
}

/** Reports of an earlier run would be taken for this run's. */
function removeEarlier(dir: string, file: number): void {
  for (const name of REPORT_FILES) rmSync(join(dir, name), { force: true });
  ftruncateSync(file);
}

function orUnwritable<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    throw usageError(
      `cannot write the run log ${path} (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`,
      'choose a writable directory with --out DIR',
      cause,
    );
  }
}

/** Locks the log as long as this process writes it; returns how to release it. */
function occupy(dir: string, path: string): () => void {
  const unlock = claim(path);
  if (unlock === undefined)
    throw usageError(
      `${dir} is in use by another run`,
      'choose another directory with --out DIR, or wait for that run',
    );
  process.once('exit', unlock);
  return () => {
    process.off('exit', unlock);
    unlock();
  };
}

import {
  closeSync,
  existsSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../spec/make-folder.ts';
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
 * earlier run. Throws an {@link AssayError} (exit 2) where the directory can't be written to, or where another run is using it.
 */
export function openLog(dir: string): RunLog {
  const path = logPath(dir);
  orUnwritable(path, () => makeFolder(dir));
  const release = occupy(dir);
  const isNew = !existsSync(path);
  const file = orUnwritable(path, () => openSync(path, 'a'));
  let open = true;
  let isEmpty = true;
  return {
    path,
    write(record) {
      if (!open) return;
      if (isEmpty && !isNew) orUnwritable(path, () => removeEarlier(dir, file));
      isEmpty = false;
      writeWhole(file, Buffer.from(`${JSON.stringify(record)}\n`));
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
    throw new AssayError(
      `cannot write the run log ${path} (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`,
      { hint: 'choose a writable directory with --out DIR', exitCode: EXIT.usage, cause },
    );
  }
}

/** Holds the number of the process that writes a report directory, which touches it as long as it runs. */
const OWNER_NAME = '.assay-run';
const TOUCHED_MS = 1000;
/** A process that has not touched it for so long is gone. */
const LAPSED_MS = 5000;

/** Marks a directory as used by this process; returns how to release it. */
function occupy(dir: string): () => void {
  const path = join(dir, OWNER_NAME);
  const owner = ownerOf(path);
  if (owner !== undefined)
    throw new AssayError(`${dir} is in use by another run (process ${owner})`, {
      hint: 'choose another directory with --out DIR, or wait for that run',
      exitCode: EXIT.usage,
    });
  const file = orUnwritable(path, () => openSync(path, 'w'));
  writeSync(file, String(process.pid));
  const touch = setInterval(() => futimesSync(file, new Date(), new Date()), TOUCHED_MS).unref();
  const release = (): void => {
    clearInterval(touch);
    closeSync(file);
    process.off('exit', release);
    rmSync(path, { force: true });
  };
  process.once('exit', release);
  return release;
}

/** The process that uses a directory, unless it is this one or has ended. */
function ownerOf(path: string): number | undefined {
  const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (Date.now() - mtimeMs > LAPSED_MS) return undefined;
  const owner = Number(readFileSync(path, 'utf8'));
  return owner !== process.pid && isRunning(owner) ? owner : undefined;
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(file, bytes, done);
}

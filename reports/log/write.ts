import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { makeFolder } from '../../spec/make-folder.ts';
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
 * Starts the log of a run in `dir`, which is made where it is missing; an earlier run's log and verdict are replaced.
 * Throws an {@link AssayError} (exit 2) where the directory can't be written to.
 */
export function openLog(dir: string): RunLog {
  const path = logPath(dir);
  const file = create(dir, path);
  let open = true;
  return {
    path,
    write(record) {
      if (open) writeWhole(file, Buffer.from(`${JSON.stringify(record)}\n`));
    },
    close() {
      if (open) closeSync(file);
      open = false;
    },
  };
}

function create(dir: string, path: string): number {
  try {
    makeFolder(dir);
    // Reports of an earlier run would be taken for this run's.
    if (existsSync(path)) for (const name of REPORT_FILES) rmSync(join(dir, name), { force: true });
    return openSync(path, 'w');
  } catch (cause) {
    throw new AssayError(
      `cannot write the run log ${path} (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`,
      { hint: 'choose a writable directory with --out DIR', exitCode: EXIT.usage, cause },
    );
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(file, bytes, done);
}

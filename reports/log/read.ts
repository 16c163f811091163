import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { AssayError, EXIT } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { isRecord } from '../records.ts';
import { logPath } from './write.ts';

const CHUNK = 1 << 20;
const LINE_FEED = 10;

/**
 * Reads a run's log, from its directory or the file itself. An incomplete last line (the run was killed) is left out; any
 * other line that is not a record becomes an error record. Throws an {@link AssayError} (exit 2) where there is no log.
 */
export function readLog(dirOrFile: string): RunRecord[] {
  return [...streamLog(dirOrFile)];
}

/** {@link readLog}, one record at a time. */
export function* streamLog(dirOrFile: string): Generator<RunRecord> {
  const path = find(dirOrFile);
  let number = 0;
  for (const { text, whole } of lines(path)) {
    number += 1;
    const record = parse(text);
    if (record !== undefined) yield record;
    else if (whole && text.trim() !== '') yield unreadable(path, number);
  }
}

function find(dirOrFile: string): string {
  const found = statSync(dirOrFile, { throwIfNoEntry: false });
  const path = found?.isDirectory() === true ? logPath(dirOrFile) : dirOrFile;
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path;
  throw new AssayError(`no run log at ${path}`, {
    hint: 'name the directory that an earlier run wrote with --out (default: assay-report)',
    exitCode: EXIT.usage,
  });
}

function* lines(path: string): Generator<{ text: string; whole: boolean }> {
  const file = openSync(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const size = readSync(file, chunk, 0, CHUNK, null);
      if (size === 0) break;
      const bytes = Buffer.concat([rest, chunk.subarray(0, size)]);
      let start = 0;
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
        yield { text: bytes.toString('utf8', start, end), whole: true };
        start = end + 1;
      }
      rest = bytes.subarray(start);
    }
    if (rest.length > 0) yield { text: rest.toString('utf8'), whole: false };
  } finally {
    closeSync(file);
  }
}

function parse(text: string): RunRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(path: string, line: number): RunRecord {
  return {
    type: 'error',
    message: `line ${line} of ${path} is not a valid record`,
    hint: 'the log was changed after the run, or the disk was full',
  };
}

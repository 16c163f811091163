import { readFileSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { parsedJson, usageError } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { asRecord } from './shape.ts';
import { logPath } from './write.ts';

const LINE_FEED = 10;

/** Every log has one of these records. */
const SURE: readonly RunRecord['type'][] = ['run-start', 'error', 'run-end'];

const HINT = 'give the report directory of an earlier run, the one set with --out (default: assay-report)';

/**
 * Reads a run's log, from its directory or the file itself. An incomplete last line (the run was killed) is left out;
 * any other line that is not a record becomes an error record. Throws an {@link AssayError} (exit 2) where there is no
 * log, the file is none, or such a line may have been its end.
 */
export function readLog(dirOrFile: string): RunRecord[] {
  const path = find(dirOrFile);
  const garbled: number[] = [];
  const types = new Set<RunRecord['type']>();
  const records = [...lines(readable(path, () => readFileSync(path)))].flatMap(({ text, isWhole }, index) => {
    const record = asRecord(parsedJson(text));
    if (record !== undefined) {
      types.add(record.type);
      return record;
    }
    if (!isWhole || text.trim() === '') return [];
    garbled.push(index + 1);
    return unreadable(path, index + 1);
  });
  const [first] = garbled;
  if (!SURE.some((type) => types.has(type))) throw usageError(`${path} is not the log of a run`, HINT);
  if (first !== undefined && !types.has('run-end')) {
    const hint = 'the log was edited after the run, or the disk was full: run again';
    throw usageError(`${path}:${first} is not a valid record, and the log has no end`, hint);
  }
  return records;
}

/** What `get` reads from the path. Throws an {@link AssayError} (exit 2) where that is not permitted or fails. */
function readable<T>(path: string, get: () => T): T {
  try {
    return get();
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    const hint = 'check the permissions of the file and of the folders above it';
    throw usageError(`cannot read ${path} (${code})`, hint, cause);
  }
}

/** Undefined if the path does not exist, also below a file (ENOTDIR). */
function statOf(path: string): Stats | undefined {
  return readable(path, () => {
    try {
      return statSync(path);
    } catch (cause) {
      if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw cause;
    }
  });
}

function find(dirOrFile: string): string {
  const path = statOf(dirOrFile)?.isDirectory() === true ? logPath(dirOrFile) : dirOrFile;
  if (statOf(path)?.isFile() === true) return path;
  throw usageError(`no run log at ${path}`, HINT);
}

/** Decodes line by line: a log may be longer than the longest string. */
function* lines(bytes: Buffer): Generator<{ readonly text: string; readonly isWhole: boolean }> {
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    yield { text: bytes.toString('utf8', start, end), isWhole: true };
    start = end + 1;
  }
  if (start < bytes.length) yield { text: bytes.toString('utf8', start), isWhole: false };
}

function unreadable(path: string, line: number): RunRecord {
  return {
    type: 'error',
    message: `line ${line} of ${path} is not a valid record`,
    hint: 'the log was edited after the run, or the disk was full',
  };
}

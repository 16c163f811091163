import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { AssayError, isObject, usageError } from '../../spec/index.ts';
import type { DataRow } from './types.ts';

function rows(values: unknown): DataRow[] {
  if (!Array.isArray(values)) throw new Error('it is not an array of objects');
  const wrong = values.findIndex((value) => !isObject(value));
  if (wrong >= 0) throw new Error(`row ${wrong + 1} is not an object`);
  return values as DataRow[];
}

function parsed(line: string, index: number): unknown[] {
  try {
    return line.trim() === '' ? [] : [JSON.parse(line)];
  } catch (cause) {
    throw new Error(`line ${index + 1} is not JSON`, { cause });
  }
}

const ndjson = (text: string): DataRow[] =>
  rows(
    text
      .replace(/^\uFEFF/, '')
      .split('\n')
      .flatMap(parsed),
  );

const READERS: Readonly<Record<string, (text: string) => DataRow[]>> = {
  '.csv': (text) => parse(text, { columns: true, bom: true, skip_empty_lines: true, trim: true }),
  '.ndjson': ndjson,
  '.jsonl': ndjson,
  '.json': (text) => rows(JSON.parse(text.replace(/^\uFEFF/, ''))),
};

function readRows(name: string, path: string, scenarioFile: string): DataRow[] {
  const refuse = (what: string, hint: string, cause?: unknown): never => {
    throw usageError(`The data file ${path} (${name} in ${scenarioFile}) ${what}.`, hint, cause);
  };
  const file = resolve(dirname(scenarioFile), path);
  const read = READERS[extname(file).toLowerCase()];
  if (read === undefined) return refuse('has an unknown format', `Use ${Object.keys(READERS).join(', ')}.`);
  if (!existsSync(file)) return refuse('does not exist', 'Paths are relative to the scenario file.');
  try {
    const found = read(readFileSync(file, 'utf8'));
    return found.length > 0 ? found : refuse('has no rows', 'A CSV file needs a header line and at least one row.');
  } catch (cause) {
    if (cause instanceof AssayError) throw cause;
    return refuse(
      `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Fix the file, or name another one in "data".',
      cause,
    );
  }
}

/** Reads the data files of a scenario. Throws an AssayError that names the first one that cannot be read. */
export function readData(
  files: Readonly<Record<string, string>>,
  scenarioFile: string,
): Record<string, readonly DataRow[]> {
  return Object.fromEntries(
    Object.entries(files).map(([name, path]) => [name, readRows(name, path, scenarioFile)] as const),
  );
}

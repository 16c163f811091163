import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { AssayError, EXIT, isObject } from '../../spec/index.ts';
import type { RecordedOperation } from './response.ts';

const FORMAT = 'assay-snapshot-1';

/** The file that `--update-snapshot` writes, for people to review and for later runs to compare with. */
export interface Snapshot {
  readonly format: typeof FORMAT;
  readonly title: string;
  readonly operations: Readonly<Record<string, RecordedOperation>>;
}

/** Reads a snapshot. Throws an {@link AssayError} for a file that is not a snapshot of this version. */
export function readSnapshot(file: string): Snapshot {
  const wrong = (what: string): AssayError =>
    new AssayError(`${file} ${what}`, {
      hint: 'record a new one: assay verify --update-snapshot FILE',
      exitCode: EXIT.usage,
    });
  const json = parse(file, wrong);
  const format = isObject(json) ? json['format'] : undefined;
  if (format === 'assay-learned-1') throw wrong('is a snapshot of version 0.1, in a format that is no longer read');
  if (!isObject(json) || format !== FORMAT || !isObject(json['operations'])) throw wrong('is not a snapshot');
  return json as unknown as Snapshot;
}

function parse(file: string, wrong: (what: string) => AssayError): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw wrong(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? String(error)})`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw wrong('is not JSON');
  }
}

/** Writes a snapshot, sorted. Earlier records of operations that this run did not test are kept. */
export function writeSnapshot(file: string, title: string, operations: ReadonlyMap<string, RecordedOperation>): void {
  const all = { ...(existsSync(file) ? readSnapshot(file).operations : {}), ...Object.fromEntries(operations) };
  const ids = Object.keys(all).sort();
  const sorted = Object.fromEntries(ids.map((id) => [id, all[id]]));
  const text = `${JSON.stringify({ format: FORMAT, title, operations: sorted }, null, 2)}\n`;
  writeFileSync(`${file}.new`, onOneLine(text));
  renameSync(`${file}.new`, file);
}

/** Lists of scalars on one line each, for short diffs. */
function onOneLine(json: string): string {
  return json.replaceAll(
    /\[\s+((?:(?:"[^"\n]*"|true|false|\d+),?\s+)+)\]/g,
    (_all, inner: string) => `[${inner.trim().replaceAll(/\s*\n\s*/g, ' ')}]`,
  );
}

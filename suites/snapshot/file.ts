import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { AssayError, EXIT, isObject } from '../../spec/index.ts';
import type { Answers } from './answer.ts';

/** The file that `--learn` writes, for people to review and for later runs to compare with. */
export interface Learned {
  readonly format: 'assay-learned-1';
  readonly title: string;
  readonly operations: Readonly<Record<string, Answers>>;
}

/** Reads what was learned. Throws an {@link AssayError} with the exit code of wrong usage where the file is none of ours. */
export function readLearned(file: string): Learned {
  const wrong = (what: string): AssayError =>
    new AssayError(`${file} ${what}`, { hint: 'write it with assay verify --learn FILE', exitCode: EXIT.usage });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw wrong(`can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    const read = JSON.parse(text) as unknown;
    if (isObject(read) && read['format'] === 'assay-learned-1' && isObject(read['operations']))
      return read as unknown as Learned;
  } catch {
    throw wrong('is no JSON');
  }
  throw wrong('is not what --learn writes');
}

/** Writes what was learned, sorted. Operations that this run did not try keep what was known of them. */
export function writeLearned(file: string, title: string, operations: ReadonlyMap<string, Answers>): void {
  const all = { ...(existsSync(file) ? readLearned(file).operations : {}), ...Object.fromEntries(operations) };
  const sorted = Object.fromEntries(
    Object.keys(all)
      .sort()
      .map((id) => [id, all[id]]),
  );
  const text = `${JSON.stringify({ format: 'assay-learned-1', title, operations: sorted }, null, 2)}\n`;
  writeFileSync(
    `${file}.new`,
    text.replaceAll(
      /\[\s+((?:(?:"[^"\n]*"|true|false|\d+),?\s+)+)\]/g,
      (_all, inner: string) => `[${inner.trim().replaceAll(/\s*\n\s*/g, ' ')}]`,
    ),
  );
  renameSync(`${file}.new`, file);
}

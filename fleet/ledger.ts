import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { makeFolder } from '../spec/make-folder.ts';
import { usageError } from '../spec/index.ts';
import type { Hello, Report } from './messages.ts';

/** What the controller must know to resume a run; the broker may lose its data. */
export type LedgerEntry =
  | {
      readonly kind: 'run';
      readonly run: string;
      readonly command: string;
      readonly seed: number;
      readonly startedAt: number;
    }
  | { readonly kind: 'trial'; readonly trial: number; readonly lanes: string; readonly t0: number }
  | { readonly kind: 'ended'; readonly trial: number; readonly stopped: boolean; readonly at: number }
  | Hello
  | Report;

const FLUSH_MS = 100;

/** An append-only file of the run's events. Entries of 100 ms are written together. */
export class Ledger {
  readonly #file: FileHandle;
  #lines: string[] = [];
  #next: Promise<void> | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(path: string): Promise<Ledger> {
    makeFolder(dirname(path));
    const file = await open(path, 'a');
    // A controller that was killed may have left its last line incomplete.
    await file.appendFile('\n');
    return new Ledger(file);
  }

  /**
   * Resolves when the entry is on disk.
   *
   * @param text the entry as one line of JSON, if the caller has it.
   */
  append(entry: LedgerEntry, text = JSON.stringify(entry)): Promise<void> {
    this.#lines.push(text);
    this.#next ??= new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS)).then(() => this.#flush());
    return this.#next;
  }

  async close(): Promise<void> {
    await this.#next;
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    this.#next = undefined;
    const lines = this.#lines;
    this.#lines = [];
    await this.#file.appendFile(`${lines.join('\n')}\n`);
    await this.#file.datasync();
  }
}

/** The entries of a run, written by an earlier controller; an incomplete last line is skipped. */
export async function readLedger(path: string, run: string): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  try {
    for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
      try {
        entries.push(JSON.parse(line) as LedgerEntry);
      } catch {
        // An incomplete line of a controller that was killed.
      }
    }
  } catch (cause) {
    throw usageError(
      `The ledger of the fleet ${path} cannot be read.`,
      'Set --out to the folder of the run to resume.',
      cause,
    );
  }
  const known = entries.flatMap((entry) => (entry.kind === 'run' ? [entry.run] : []));
  const from = entries.findLastIndex((entry) => entry.kind === 'run' && entry.run === run);
  if (from >= 0) return entries.slice(from);
  throw usageError(
    `The ledger ${path} does not contain run ${run}.`,
    known.length === 0 ? 'The ledger is empty.' : `Its runs: ${known.join(', ')}.`,
  );
}

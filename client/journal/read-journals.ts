import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseBaseUrl } from '../base-url.ts';
import { parseJournal } from './entries.ts';
import type { JournalHeader, JournalLine, JournalState } from './entries.ts';
import { journalFolders, journalPrefix } from './journal-file.ts';
import { isAlive } from '../../spec/owner.ts';

export interface LeftJournal {
  readonly path: string;
  readonly header: JournalHeader;
  readonly ledger: JournalState;
  /** Records a cleaned-up item. */
  settle(line: JournalLine): void;
  /** Deletes the file if nothing is left. */
  finish(): void;
}

export interface ReadJournalsOptions {
  readonly dir?: string;
  /** Only this target's. */
  readonly baseUrl: string;
  /** The caller's own run: its journals are read although its processes are alive. */
  readonly runId?: string;
  /** Only journals of {@link ReadJournalsOptions.runId}. */
  readonly onlyRun?: boolean;
  /** Include journals of running processes, without cleaning them up. */
  readonly atWork?: boolean;
}

function filesIn(folder: string, prefix: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(prefix) && name.endsWith('.ndjson'))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function read(path: string): LeftJournal | undefined {
  try {
    const journal = parseJournal(readFileSync(path, 'utf8'));
    if (!journal) return undefined;
    const { header, ledger } = journal;
    const settle = (line: JournalLine) => {
      ledger.add(line);
      appendFileSync(path, `\n${JSON.stringify(line)}\n`);
    };
    const finish = () => {
      if (ledger.isEmpty) rmSync(path, { force: true });
    };
    return { path, header, ledger, settle, finish };
  } catch {
    return undefined;
  }
}

function isLeft({ path, header }: LeftJournal, options: ReadJournalsOptions, baseUrl: string): boolean {
  if (header.baseUrl !== baseUrl) return false;
  if (header.runId === options.runId) return true;
  return options.onlyRun !== true && (options.atWork === true || !isAlive(header.owner, statSync(path).mtimeMs));
}

/** The journals that earlier runs (and the given one) left for a target; those of other running processes are skipped. */
export function readJournals(options: ReadJournalsOptions): readonly LeftJournal[] {
  const baseUrl = parseBaseUrl(options.baseUrl).href;
  const paths = journalFolders(options.dir).flatMap((folder) => filesIn(folder, journalPrefix(baseUrl)));
  const journals = paths.map(read).filter((journal) => journal !== undefined);
  return journals
    .filter((journal) => isLeft(journal, options, baseUrl))
    .sort((a, b) => a.header.startedAt.localeCompare(b.header.startedAt));
}

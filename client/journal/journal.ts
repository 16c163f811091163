import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Json } from '../../spec/index.ts';
import { isUrl, usageError } from '../../spec/index.ts';
import { defined } from '../../spec/defined.ts';
import { parseBaseUrl } from '../base-url.ts';
import { JournalState } from './entries.ts';
import type { Intent, JournalEntry, JournalHeader, JournalLine } from './entries.ts';
import { AppendFile, journalFolders, journalPrefix } from './journal-file.ts';
import { ownerOf } from '../../spec/owner.ts';

export interface JournalOptions {
  /** Default: a folder of the user. */
  readonly dir?: string;
  readonly runId: string;
  readonly baseUrl: string;
  readonly bases?: Readonly<Record<string, string>> | undefined;
  /** Path or URL of the description, if it is not the built-in one. */
  readonly spec?: string | undefined;
}

/**
 * Records what this process creates in a deployment and which global state it changes, before the request is sent.
 * Each promise resolves when the line survives the end of this process; intents and saved values then survive the machine too.
 * It never contains a token.
 */
export interface Journal {
  /** Await it before the creating request is sent. */
  intend(intent: Intent): Promise<JournalEntry>;
  /** It was, or may have been, created without a name of the run: without its id it cannot be found. */
  unnamed(entry: JournalEntry, shownId?: string): Promise<void>;
  /** It was created, and the response does not contain its id: only its list shows it. */
  served(entry: JournalEntry): Promise<void>;
  /** The id of what was created is known. */
  acknowledge(entry: JournalEntry, id: string): Promise<void>;
  /** So many were created under the tag of the entry, which is one. */
  standsFor(entry: JournalEntry, amount: number): void;
  /** So many of them should be there: the clean-up reports those that it does not find. */
  expects(entry: JournalEntry, amount: number): Promise<void>;
  /** No request was sent that could create it. */
  cancelled(entry: JournalEntry): Promise<void>;
  removed(entry: JournalEntry): Promise<void>;
  /** Its creation was refused. The clean-up looks whether it was stored nevertheless. */
  refused(entry: JournalEntry): Promise<void>;
  /** Await it before global state is changed; the first value under a name counts. */
  saveGlobal(name: string, value: Json): Promise<void>;
  /** The global state with that name is as it was saved; it can be saved anew. */
  restored(name: string): Promise<void>;
  /** What was created and not yet removed. */
  pending(): readonly JournalEntry[];
  /** Number of resources that this process created or may have created. */
  readonly created: number;
  /** Closes the file, and deletes it unless something has to be cleaned up or looked for. */
  close(): Promise<void>;
}

const absolute = (spec: string): string => (isUrl(spec) ? spec : resolve(spec));

function openFile(options: JournalOptions, baseUrl: string): AppendFile {
  const name = `${journalPrefix(baseUrl)}${options.runId.replace(/[^\w-]/g, '_')}-${process.pid}-${randomBytes(3).toString('hex')}.ndjson`;
  const folders = journalFolders(options.dir);
  let cause: unknown;
  for (const folder of folders) {
    try {
      return new AppendFile(join(folder, name));
    } catch (error) {
      cause = error;
    }
  }
  throw usageError(
    `The journal of created resources can't be written to ${folders.join(' or ')}.`,
    'Set XDG_STATE_HOME to a writable folder, or allow only reading: --allow read.',
    cause,
  );
}

/** Opens the journal of this process for one target. The file is created with the first entry. */
export function openJournal(options: JournalOptions): Journal {
  const baseUrl = parseBaseUrl(options.baseUrl).href;
  const ledger = new JournalState();
  let file: AppendFile | undefined;
  let closed = false;
  const amounts = new Map<number, number>();

  function open(): AppendFile {
    if (closed) throw new Error('the journal is closed');
    if (file) return file;
    file = openFile(options, baseUrl);
    const header: JournalHeader = {
      type: 'journal',
      version: 1,
      runId: options.runId,
      baseUrl,
      ...defined({ bases: options.bases, spec: options.spec && absolute(options.spec) }),
      owner: ownerOf(process.pid),
      startedAt: new Date().toISOString(),
    };
    void file.append(header, true).catch(() => undefined);
    return file;
  }

  async function write(line: JournalLine): Promise<void> {
    ledger.add(line);
    await open().append(line, line.type === 'intend' || line.type === 'save');
  }

  return {
    async intend(intent) {
      const number = ledger.intended + 1;
      await write({ type: 'intend', number, intent });
      return { ...intent, number };
    },
    unnamed: ({ number }, shownId) => write({ type: 'unnamed', number, ...(shownId === undefined ? {} : { shownId }) }),
    served: ({ number }) => write({ type: 'served', number }),
    acknowledge: ({ number }, id) => write({ type: 'acknowledge', number, id }),
    standsFor: ({ number }, amount) => void amounts.set(number, amount),
    expects: ({ number }, amount) => write({ type: 'amount', number, amount }),
    cancelled({ number }) {
      amounts.delete(number);
      return write({ type: 'cancelled', number });
    },
    removed: ({ number }) => write({ type: 'removed', number }),
    refused: ({ number }) => write({ type: 'refused', number }),
    saveGlobal: (name, value) => write({ type: 'save', name, value }),
    restored: (name) => write({ type: 'restored', name }),
    pending: () => [...ledger.pending.values()],
    get created() {
      return [...amounts.values()].reduce((sum, amount) => sum + amount, ledger.created - amounts.size);
    },
    async close() {
      if (closed) return;
      closed = true;
      await file?.close();
      if (file && ledger.isEmpty && ledger.refused.size === 0) rmSync(file.path, { force: true });
    },
  };
}

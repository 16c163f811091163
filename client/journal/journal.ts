import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../spec/index.ts';
import { AssayError, EXIT } from '../../spec/index.ts';
import { parseBaseUrl } from '../base-url.ts';
import { AppendFile } from './append-file.ts';
import { Ledger } from './entries.ts';
import type { Intent, JournalEntry, JournalHeader, JournalLine } from './entries.ts';
import { journalFolder, journalPrefix, stateFolders } from './location.ts';
import { thisOwner } from './owner.ts';

/** Whose journal it is. */
export interface JournalOptions {
  /** Left out: `$XDG_STATE_HOME/assay` or `~/.local/state/assay`, or a temporary folder where that can't be written. */
  readonly dir?: string;
  readonly runId: string;
  readonly baseUrl: string;
}

/**
 * What this process creates in a deployment and changes there for others too, written down before it is sent. Each
 * promise settles when the line outlives this process; an intent and a saved value then outlive the machine as well.
 * No token ever stands in it.
 */
export interface Journal {
  /** To be awaited before the creating request is sent. */
  intend(intent: Intent): Promise<JournalEntry>;
  /** The deployment told the id of what was created. */
  acknowledge(entry: JournalEntry, id: string): Promise<void>;
  /** It is gone again. */
  removed(entry: JournalEntry): Promise<void>;
  /** It was never created: the deployment said no. */
  refused(entry: JournalEntry): Promise<void>;
  /** To be awaited before something that others see is changed; the first value under a name counts. */
  saveGlobal(name: string, value: Json): Promise<void>;
  restored(name: string): Promise<void>;
  /** What was created and not removed. */
  pending(): readonly JournalEntry[];
  /** How many things this process created, or may have. */
  readonly created: number;
  /** Ends the writing. The file stays where something is left to do. */
  close(): Promise<void>;
}

function openFile(options: JournalOptions, baseUrl: string): AppendFile {
  const name = `${journalPrefix(baseUrl)}${options.runId.replace(/[^\w-]/g, '_')}-${process.pid}-${randomBytes(3).toString('hex')}.ndjson`;
  const folders = stateFolders(options.dir);
  let cause: unknown;
  for (const folder of folders) {
    try {
      return new AppendFile(join(journalFolder(folder), name));
    } catch (error) {
      cause = error;
    }
  }
  throw new AssayError(`The journal of what a run creates can't be written to ${folders.join(' or ')}.`, {
    hint: 'Set XDG_STATE_HOME to a folder that can be written, or allow only reading: --allow read.',
    exitCode: EXIT.usage,
    cause,
  });
}

/** Opens this process' journal for one target. The file is made with the first entry. */
export function openJournal(options: JournalOptions): Journal {
  const baseUrl = parseBaseUrl(options.baseUrl).href;
  const ledger = new Ledger();
  let file: AppendFile | undefined;
  let closed = false;

  function open(): AppendFile {
    if (closed) throw new Error('the journal is closed');
    if (file) return file;
    file = openFile(options, baseUrl);
    const header: JournalHeader = {
      type: 'journal',
      version: 1,
      runId: options.runId,
      baseUrl,
      owner: thisOwner(),
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
    acknowledge: ({ number }, id) => write({ type: 'acknowledge', number, id }),
    removed: ({ number }) => write({ type: 'removed', number }),
    refused: ({ number }) => write({ type: 'refused', number }),
    saveGlobal: (name, value) => write({ type: 'save', name, value }),
    restored: (name) => write({ type: 'restored', name }),
    pending: () => [...ledger.pending.values()],
    get created() {
      return ledger.created;
    },
    async close() {
      if (closed) return;
      closed = true;
      await file?.close();
      if (file && ledger.isEmpty) rmSync(file.path, { force: true });
    },
  };
}

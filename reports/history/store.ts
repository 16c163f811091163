import { usageError } from '../../spec/errors.ts';
import type { StoredRun } from './stored-run.ts';

export interface RunStore {
  /** False if the store already has the run. */
  add(run: StoredRun): boolean;
  all(): readonly StoredRun[];
  close(): void;
}

const SCHEMA = `create table if not exists runs (
  id text primary key, started_at text not null, command text not null, target text not null, verdict text not null, run text not null
)`;

const COLUMNS = 'id, started_at, command, target, verdict, run';

/** Opens the store, or creates it. Throws an {@link AssayError} (exit 2) for a file that is not a store. */
export async function openStore(file: string): Promise<RunStore> {
  try {
    const { default: sqlite } = await import('node-sqlite3-wasm');
    const database = new sqlite.Database(file);
    database.exec(SCHEMA);
    // The table of another program may have the same name.
    database.all(`select ${COLUMNS} from runs limit 1`);
    return {
      add(run) {
        const values = [run.id, run.startedAt, run.command, run.target, run.verdict, JSON.stringify(run)];
        return database.run(`insert or ignore into runs (${COLUMNS}) values (?, ?, ?, ?, ?, ?)`, values).changes > 0;
      },
      all: () =>
        database
          .all('select run from runs order by started_at, id')
          .map((row) => JSON.parse(row['run'] as string) as StoredRun),
      close: () => database.close(),
    };
  } catch (cause) {
    throw usageError(
      `cannot use the run store ${file}: ${(cause as Error).message}`,
      'choose another file with --store; if another process holds the file, wait until it ends',
      cause,
    );
  }
}

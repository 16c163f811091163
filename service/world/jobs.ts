import type { Job, JobInput } from '../model/job.ts';
import { jobFields } from '../model/job.ts';
import type { JobHistory } from '../model/run.ts';
import type { Journal } from './table.ts';
import { Table } from './table.ts';

const NO_HISTORY: JobHistory = { runs: [], chats: [], results: [] };

/** AI jobs and their histories. */
export class Jobs extends Table<Job> {
  readonly #histories: Table<JobHistory>;
  #made: number;

  constructor(journal: Journal) {
    super('jobs', journal);
    this.#histories = new Table('histories', journal);
    this.#made = Math.max(0, ...this.values().map((job) => job.ordinal));
  }

  create(id: string, input: JobInput, userId: string): Job {
    const job: Job = {
      ...jobFields(input),
      id,
      createdAt: new Date().toISOString(),
      createdBy: userId,
      modifiedAt: null,
      modifiedBy: null,
      jobProgressId: null,
      ordinal: ++this.#made,
    };
    this.set(id, job);
    return job;
  }

  history(id: string): JobHistory {
    return this.#histories.get(id) ?? NO_HISTORY;
  }

  setHistory(id: string, history: JobHistory): void {
    this.#histories.set(id, history);
  }

  override delete(id: string): boolean {
    this.#histories.delete(id);
    return super.delete(id);
  }
}

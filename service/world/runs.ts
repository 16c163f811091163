import type { Job } from '../model/job.ts';
import type { Run } from '../model/run.ts';
import type { Jobs } from './jobs.ts';
import { outcomeOf } from './outcome.ts';
import { createRandom } from './random.ts';

/** Milliseconds that a run is queued, and that it runs. */
const STEP_MS = 2;

export function jobDetail(job: Job): Run['jobDetail'] {
  const { ordinal: _, jobProgressId: __, ...detail } = job;
  return detail;
}

/** Executes queued runs in the background. */
export class Runner {
  readonly #jobs: Jobs;
  readonly #seed: number;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(jobs: Jobs, seed: number) {
    this.#jobs = jobs;
    this.#seed = seed;
  }

  queue(job: Job, userId: string): Run {
    const history = this.#jobs.history(job.id);
    const random = createRandom(this.#seed ^ 0x51ed270b, job.ordinal, history.runs.length);
    const run: Run = {
      id: random.uuid(),
      jobProgressId: random.uuid(),
      dryRun: false,
      state: 'Queued',
      startedAt: new Date().toISOString(),
      completedAt: null,
      createdBy: userId,
      jobDetail: jobDetail(job),
    };
    this.#jobs.setHistory(job.id, { ...history, runs: [...history.runs, run] });
    this.#jobs.merge(job.id, { jobProgressId: run.jobProgressId });
    this.#execute(job.id, run.id);
    return run;
  }

  /** Resumes runs that an earlier process left unfinished. */
  resume(): void {
    for (const job of this.#jobs.values()) {
      const open = this.#jobs.history(job.id).runs.filter((run) => run.state !== 'Completed');
      for (const run of open) this.#execute(job.id, run.id);
    }
  }

  complete(jobId: string, runId: string): void {
    const job = this.#jobs.get(jobId);
    const history = this.#jobs.history(jobId);
    const ordinal = history.runs.findIndex((run) => run.id === runId);
    const run = history.runs[ordinal];
    if (job === undefined || run === undefined || run.state === 'Completed') return;
    const outcome = outcomeOf(this.#seed, job, run, ordinal);
    this.#change(jobId, runId, { state: 'Completed', completedAt: new Date().toISOString() });
    const { runs, chats, results } = this.#jobs.history(jobId);
    const all = { runs, chats: [...chats, ...outcome.chats], results: [...results, ...outcome.results] };
    this.#jobs.setHistory(jobId, all);
  }

  /** Cancels all timers. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #execute(jobId: string, runId: string): void {
    this.#later(() => {
      this.#change(jobId, runId, { state: 'Running' });
      this.#later(() => this.complete(jobId, runId));
    });
  }

  #change(jobId: string, runId: string, changes: Partial<Run>): void {
    if (!this.#jobs.has(jobId)) return;
    const history = this.#jobs.history(jobId);
    const runs = history.runs.map((run) => (run.id === runId ? { ...run, ...changes } : run));
    this.#jobs.setHistory(jobId, { ...history, runs });
  }

  #later(action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, STEP_MS);
    this.#timers.add(timer);
  }
}

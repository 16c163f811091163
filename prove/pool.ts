import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { noAnswer } from './job.ts';
import type { ProveAnswer, ProveJob, RunJob } from './job.ts';

const WORKER = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url));

/** Time limit of one job: a defect can make the suites hang. */
const JOB_MS = 600_000;

/** Worker processes that run one job at a time each; no job starts after the signal is aborted. */
export interface Pool {
  readonly run: RunJob;
  close(): void;
}

function runIn(child: ChildProcess, job: ProveJob, signal: AbortSignal): Promise<ProveAnswer> {
  return new Promise((resolve, reject) => {
    let end = '';
    const timer = setTimeout(() => {
      end = `: no result within ${JOB_MS / 1000} s`;
      child.kill('SIGKILL');
    }, JOB_MS);
    const onAbort = (): boolean => child.kill('SIGKILL');
    const onExit = (code: number | null): void =>
      settle(() =>
        resolve(noAnswer(`the worker process ended with ${code === null ? 'a signal' : `exit code ${code}`}${end}`)),
      );
    const onMessage = (answer: unknown): void => settle(() => resolve(answer as ProveAnswer));
    function settle(then: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      child.off('exit', onExit);
      child.off('message', onMessage);
      then();
    }
    child.once('exit', onExit);
    child.once('message', onMessage);
    signal.addEventListener('abort', onAbort, { once: true });
    child.send(job, (error) => error && settle(() => reject(error)));
  });
}

/** Starts worker processes when needed, at most `size`; they stay alive between jobs. */
export function openPool(size: number, worker = WORKER): Pool {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  const waiting: ((child: ChildProcess) => void)[] = [];
  const start = (): ChildProcess => {
    const child = fork(worker, { detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    all.add(child);
    return child;
  };
  const take = (): Promise<ChildProcess> => {
    const child = idle.pop() ?? (all.size < size ? start() : undefined);
    return child === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(child);
  };
  const give = (child: ChildProcess): void => {
    const isAlive = child.connected && child.exitCode === null && child.signalCode === null;
    if (!isAlive) all.delete(child);
    const next = waiting.shift();
    if (next !== undefined) next(isAlive ? child : start());
    else if (isAlive) idle.push(child);
  };
  return {
    run: async (job, signal) => {
      const child = await take();
      try {
        return signal.aborted ? noAnswer('interrupted') : await runIn(child, job, signal);
      } finally {
        give(child);
      }
    },
    close: () => {
      for (const child of all) child.kill('SIGTERM');
    },
  };
}

import { Worker } from 'node:worker_threads';
import { AssayError, EXIT } from '../../spec/index.ts';
import { keepToken } from '../token-keeper.ts';
import type { TokenChanges, TokenKeeper } from '../token-keeper.ts';
import type { TokenRenewal } from '../token-renewal.ts';
import type { EngineJob, FromWorker, Slice, ToWorker } from './messages.ts';

const LEAD_MS = 30;

export interface WorkerSlice {
  readonly worker: number;
  readonly slice: Slice;
}

export interface FleetOptions {
  readonly jobs: readonly EngineJob[];
  /** Receives the slices of all workers with the same index, in order. */
  readonly onSlices: (index: number, slices: readonly WorkerSlice[]) => void;
  readonly signal?: AbortSignal;
  /** Ends the run this long after its start. */
  readonly limitMs?: number;
  /** The token that the requests were encoded with, and how it is kept fresh. */
  readonly token?: { readonly sent: string; readonly renewal: TokenRenewal };
}

export interface FleetEnd {
  /** It was ended by the signal or the limit. */
  readonly stopped: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly connected: number;
  /** The next id of each worker. */
  readonly nextIds: readonly number[];
}

/** Holds slices back until every worker has reported that slice, or has ended. */
class SliceMerger {
  readonly #onSlices: FleetOptions['onSlices'];
  readonly #waiting = new Map<number, WorkerSlice[]>();
  readonly #reached: number[];
  #next = 0;

  constructor(workers: number, onSlices: FleetOptions['onSlices']) {
    this.#onSlices = onSlices;
    this.#reached = Array.from({ length: workers }, () => -1);
  }

  add(worker: number, slice: Slice): void {
    const index = Math.max(this.#next, slice.index);
    this.#waiting.set(index, [...(this.#waiting.get(index) ?? []), { worker, slice }]);
    this.#reached[worker] = index;
    this.#release();
  }

  ended(worker: number): void {
    this.#reached[worker] = Infinity;
    this.#release();
  }

  #release(): void {
    const all = Math.min(...this.#reached);
    for (const index of [...this.#waiting.keys()].sort((a, b) => a - b)) {
      if (index > all) return;
      const slices = this.#waiting.get(index) ?? [];
      this.#waiting.delete(index);
      this.#next = index + 1;
      this.#onSlices(index, slices);
    }
  }
}

/** Starts a worker thread; when run from source, with a loader for TypeScript. */
function startThread(workerData: unknown): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  if (!fromSource) return new Worker(new URL('./worker.js', import.meta.url), { workerData, execArgv: [] });
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const entry = JSON.stringify(new URL('./worker.ts', import.meta.url).href);
  return new Worker(`import(${loader}).then((tsx) => { tsx.register(); return import(${entry}); })`, {
    eval: true,
    workerData,
    execArgv: [],
  });
}

interface Member {
  readonly thread: Worker;
  readonly ready: Promise<number>;
  readonly done: Promise<number>;
}

function startMember(job: EngineJob, worker: number, merger: SliceMerger, onRefused: () => void): Member {
  const thread = startThread(job);
  const ready = new Promise<number>((resolve) => {
    thread.on('message', (message: FromWorker) => {
      if (message.type === 'ready') resolve(message.connected);
    });
  });
  const done = new Promise<number>((resolve, reject) => {
    thread.on('message', (message: FromWorker) => {
      if (message.type === 'slice') merger.add(worker, message.slice);
      else if (message.type === 'refused') onRefused();
      else if (message.type === 'done') resolve(message.nextId);
    });
    thread.on('error', (cause) =>
      reject(
        new AssayError('A load worker failed.', {
          hint: 'Run again with fewer connections; if it stays, report it with the cause below.',
          exitCode: EXIT.internal,
          cause,
        }),
      ),
    );
    thread.on('exit', () => resolve(0));
  });
  return { thread, ready: Promise.race([ready, done.then(() => 0)]), done: done.finally(() => merger.ended(worker)) };
}

function aborted(signal: AbortSignal | undefined): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve('aborted');
    signal?.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}

/** Runs each job on its own thread, starting at the same time; resolves when all have ended. */
export async function runFleet(options: FleetOptions): Promise<FleetEnd> {
  const merger = new SliceMerger(options.jobs.length, options.onSlices);
  let keeper: TokenKeeper | undefined;
  const members = options.jobs.map((job, worker) => startMember(job, worker, merger, () => keeper?.refused()));
  const tell = (message: ToWorker): void => members.forEach(({ thread }) => thread.postMessage(message));
  let stopped = false;
  let limit: NodeJS.Timeout | undefined;
  let lost: Error | undefined;
  const stop = (): void => {
    stopped = true;
    tell({ type: 'stop' });
  };
  const changes: TokenChanges = {
    replace: (from, to) => tell({ type: 'token', from, to }),
    countRefusals: () => tell({ type: 'count-refusals' }),
    lost: (error) => {
      lost = error;
      stop();
    },
  };
  try {
    const connected = await Promise.race([Promise.all(members.map(({ ready }) => ready)), aborted(options.signal)]);
    if (connected === 'aborted')
      return {
        startedAt: Date.now(),
        stopped: true,
        connected: 0,
        nextIds: options.jobs.map(({ firstId }) => firstId),
      };
    options.signal?.addEventListener('abort', stop, { once: true });
    const startedAt = performance.timeOrigin + performance.now() + LEAD_MS;
    if (options.token !== undefined) keeper = keepToken(options.token.sent, options.token.renewal, changes);
    tell({ type: 'go', startAt: startedAt });
    if (options.limitMs !== undefined) limit = setTimeout(stop, options.limitMs + LEAD_MS);
    const nextIds = await Promise.all(members.map(({ done }) => done));
    if (lost !== undefined) throw lost;
    return { startedAt, stopped, connected: connected.reduce((sum, count) => sum + count, 0), nextIds };
  } finally {
    clearTimeout(limit);
    keeper?.stop();
    options.signal?.removeEventListener('abort', stop);
    await Promise.all(members.map(({ thread }) => thread.terminate()));
  }
}

import { keepToken } from '../token-keeper.ts';
import type { TokenChanges, TokenKeeper } from '../token-keeper.ts';
import type { TokenRenewal } from '../token-renewal.ts';
import { startLane } from './lane-thread.ts';
import type { EngineJob, Slice, ToWorker } from './messages.ts';

const LEAD_MS = 30;

export interface WorkerSlice {
  readonly worker: number;
  readonly slice: Slice;
}

export interface ThreadsOptions {
  readonly jobs: readonly EngineJob[];
  /** Receives the slices of all workers with the same index, in order. */
  readonly onSlices: (index: number, slices: readonly WorkerSlice[]) => void;
  readonly signal?: AbortSignal;
  /** Ends the run this long after its start. */
  readonly limitMs?: number;
  /** The token that the requests were encoded with, and how it is kept fresh. */
  readonly token?: { readonly sent: string; readonly renewal: TokenRenewal };
}

export interface TrialEnd {
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
  readonly #onSlices: ThreadsOptions['onSlices'];
  readonly #waiting = new Map<number, WorkerSlice[]>();
  readonly #reached: number[];
  #next = 0;

  constructor(workers: number, onSlices: ThreadsOptions['onSlices']) {
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

function aborted(signal: AbortSignal | undefined): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve('aborted');
    signal?.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}

/** Runs each job on its own thread, starting at the same time; resolves when all have ended. */
export async function runThreads(options: ThreadsOptions): Promise<TrialEnd> {
  const merger = new SliceMerger(options.jobs.length, options.onSlices);
  let keeper: TokenKeeper | undefined;
  const members = options.jobs.map((job, worker) =>
    startLane(job, {
      onSlice: (slice) => merger.add(worker, slice),
      onRefused: () => keeper?.refused(),
      onEnd: () => merger.ended(worker),
    }),
  );
  const tell = (message: ToWorker): void => members.forEach((member) => member.tell(message));
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
    await Promise.all(members.map((member) => member.terminate()));
  }
}

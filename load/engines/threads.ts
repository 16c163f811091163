import { keepToken } from '../token-keeper.ts';
import type { TokenChanges, TokenKeeper } from '../token-keeper.ts';
import type { TokenRenewal } from '../token-renewal.ts';
import { startLane } from './lane-thread.ts';
import type { EngineJob, Slice, ToWorker } from './messages.ts';

/** Time for the start message to reach every worker. */
const LEAD_MS = 30;

/** A slice of one worker; `lane` is its number. */
export interface WorkerSlice {
  readonly lane: number;
  readonly slice: Slice;
}

export interface ThreadsOptions {
  readonly jobs: readonly EngineJob[];
  /** Receives the slices of all workers with the same index, in order. */
  readonly onSlices: (index: number, slices: readonly WorkerSlice[]) => void;
  readonly signal: AbortSignal;
  /** Ends the run this long after its start. */
  readonly limitMs: number | undefined;
  /** Sends nothing more this long after the start, and awaits the requests in flight. */
  readonly cutMs: number | undefined;
  /** The token of the encoded requests, and its renewal. */
  readonly token: { readonly sent: string; readonly renewal: TokenRenewal } | undefined;
}

export interface TrialEnd {
  /** Ended early, by the signal or the time limit. */
  readonly stopped: boolean;
  /** Why the token is no longer accepted, which ended the trial. */
  readonly lost?: Error | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Number of connections at the start. */
  readonly connected: number;
  /** The id after the last one of each worker. */
  readonly nextIds: readonly number[];
}

/** Holds back slices until every worker has reported that index, or has ended. */
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
    this.#waiting.set(index, [...(this.#waiting.get(index) ?? []), { lane: worker, slice }]);
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

/** Runs each job on its own thread, all from the same moment; resolves when all have ended. */
export async function runThreads({ jobs, onSlices, signal, limitMs, cutMs, token }: ThreadsOptions): Promise<TrialEnd> {
  const merger = new SliceMerger(jobs.length, onSlices);
  let keeper: TokenKeeper | undefined;
  const members = jobs.map((job, worker) =>
    startLane(job, {
      onSlice: (slice) => merger.add(worker, slice),
      onRefused: () => keeper?.refused(),
      onEnd: () => merger.ended(worker),
    }),
  );
  const tell = (message: ToWorker): void => members.forEach((member) => member.tell(message));
  let stopped = false;
  const limits: NodeJS.Timeout[] = [];
  let lost: Error | undefined;
  let onStop: () => void = () => {};
  const stop = (): void => {
    stopped = true;
    tell({ type: 'stop' });
    onStop();
  };
  const cut = (): void => {
    stopped = true;
    tell({ type: 'cut' });
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
    const stopping = new Promise<undefined>((resolve) => (onStop = () => resolve(undefined)));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const connected = await Promise.race([Promise.all(members.map(({ ready }) => ready)), stopping]);
    if (connected === undefined)
      return { startedAt: Date.now(), stopped, connected: 0, nextIds: jobs.map(({ firstId }) => firstId) };
    const startedAt = performance.timeOrigin + performance.now() + LEAD_MS;
    if (token !== undefined) keeper = keepToken(token.sent, token.renewal, changes);
    tell({ type: 'go', startAt: startedAt });
    if (limitMs !== undefined) limits.push(setTimeout(stop, limitMs + LEAD_MS));
    if (cutMs !== undefined) limits.push(setTimeout(cut, cutMs + LEAD_MS));
    const nextIds = await Promise.all(members.map(({ done }) => done));
    return { startedAt, stopped, lost, connected: connected.reduce((sum, count) => sum + count, 0), nextIds };
  } finally {
    limits.forEach(clearTimeout);
    keeper?.stop();
    signal.removeEventListener('abort', stop);
    await Promise.all(members.map((member) => member.terminate()));
  }
}

import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AssayError, EXIT, usageError } from '../../spec/index.ts';
import { ALIVE_MS } from './messages.ts';
import type { EngineJob, FromWorker, Slice, ToWorker } from './messages.ts';

/** A worker thread that sends one share of a schedule. */
export interface LaneThread {
  /** Resolves to the number of connections when it can start. */
  readonly ready: Promise<number>;
  /** Resolves to the id after the last one when the outcome of every request is counted. */
  readonly done: Promise<number>;
  tell(message: ToWorker): void;
  terminate(): Promise<unknown>;
}

export interface LaneListener {
  readonly onSlice: (slice: Slice) => void;
  /** The token was refused with 401. */
  readonly onRefused: () => void;
  /** Called after the last slice. */
  readonly onEnd?: () => void;
}

/** Starts a worker thread; from source with a loader for TypeScript. */
function startThread(workerData: unknown): Worker {
  const entry = import.meta.url.endsWith('.ts') ? './worker-from-source.mjs' : './worker.js';
  return new Worker(new URL(entry, import.meta.url), { workerData, execArgv: [] });
}

/** A flow that sends no message so many times in a row is stuck. The clock of this thread counts: a machine that sleeps is not. */
const MOST_SILENT = 10;

/** Counts from the first message on: before it, the thread loads Assay. */
function rejectWhenSilent(thread: Worker, file: string, reject: (error: AssayError) => void): void {
  let silent = 0;
  let timer: NodeJS.Timeout | undefined;
  const count = (): void => {
    silent += 1;
    if (silent < MOST_SILENT) return;
    clearInterval(timer);
    reject(
      usageError(
        `${basename(file)} has not returned control for ${(MOST_SILENT * ALIVE_MS) / 1000} s`,
        'an endless loop, or a long calculation: iterations share a thread, so await something in each loop',
      ),
    );
  };
  thread.on('message', () => {
    silent = 0;
    timer ??= setInterval(count, ALIVE_MS);
  });
  thread.on('exit', () => clearInterval(timer));
}

export function startLane(job: EngineJob, { onSlice, onRefused, onEnd }: LaneListener): LaneThread {
  const thread = startThread(job);
  const ready = new Promise<number>((resolve) => {
    thread.on('message', (message: FromWorker) => {
      if (message.type === 'ready') resolve(message.connected);
    });
  });
  const done = new Promise<number>((resolve, reject) => {
    thread.on('message', (message: FromWorker) => {
      if (message.type === 'slice') onSlice(message.slice);
      else if (message.type === 'refused') onRefused();
      else if (message.type === 'done') resolve(message.nextId);
    });
    thread.on('error', (cause) =>
      reject(
        new AssayError('A load worker failed.', {
          hint: 'Run again with fewer connections. If it fails again, report the cause below.',
          exitCode: EXIT.internal,
          cause,
        }),
      ),
    );
    thread.on('exit', () => resolve(0));
    if (job.flow !== undefined) rejectWhenSilent(thread, job.flow.file, reject);
  });
  return {
    ready: Promise.race([ready, done.then(() => 0)]),
    done: done.finally(() => onEnd?.()),
    tell: (message) => thread.postMessage(message),
    terminate: () => thread.terminate(),
  };
}

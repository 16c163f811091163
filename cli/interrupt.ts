import { once } from 'node:events';
import { AssayError, EXIT } from '../spec/errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Parents such as npm and timeout pass on a signal that the terminal sent to the whole group: two at once are one. */
const SAME_MS = 500;

type Listener = (...parts: unknown[]) => void;

const isSignal = (event: string | symbol): event is (typeof SIGNALS)[number] =>
  SIGNALS.some((signal) => signal === event);

/**
 * Aborts on the first SIGINT, SIGTERM or SIGHUP, so that a run can remove what it created and write its reports; ends
 * the process on the second, where `isUrged`: the journal keeps what is left. Until `stop`, there are no other listeners of
 * these signals: Vitest and Vite would end the process.
 */
export function listenForInterrupt(isUrged: boolean): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  let first = Infinity;
  const onSignal = (): void => {
    if (isUrged && performance.now() - first > SAME_MS) process.exit(EXIT.interrupted);
    if (controller.signal.aborted) return;
    first = performance.now();
    controller.abort();
  };
  const onNewListener = (event: string | symbol, listener: Listener): void => {
    if (isSignal(event) && listener !== onSignal) queueMicrotask(() => process.off(event, listener));
  };
  const others = SIGNALS.flatMap((signal) =>
    process.rawListeners(signal).map((listener) => ({ signal, listener: listener as Listener })),
  );
  for (const { signal, listener } of others) process.off(signal, listener);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('newListener', onNewListener);
  const stop = (): void => {
    process.off('newListener', onNewListener);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    for (const { signal, listener } of others) process.on(signal, listener);
  };
  return { signal: controller.signal, stop };
}

/** The result of work that changes nothing, or throws at once (exit 130) where the signal aborts first: the process ends while it goes on. */
export async function unlessInterrupted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const interrupted = (): AssayError => new AssayError('interrupted', { hint: '', exitCode: EXIT.interrupted });
  if (signal.aborted) throw interrupted();
  const done = new AbortController();
  const stopped = once(signal, 'abort', { signal: done.signal }).then(() => Promise.reject(interrupted()));
  try {
    return await Promise.race([work(), stopped]);
  } finally {
    done.abort();
  }
}

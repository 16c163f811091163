import type { Middleware } from '../request-spec.ts';
import { SendError } from '../send-error.ts';

/** How long after the deadline a request in flight may take, in milliseconds. */
const GRACE_MS = 1_000;

const timeIsUp = (): SendError => new SendError('time-limit', 'the time budget of this run is used up (--budget)');

/** The time limit of a run. */
export interface Deadline {
  over(): boolean;
  /** Remaining milliseconds; `Infinity` without a deadline. */
  leftMs(): number;
  /** Throws a SendError once the time is over. */
  check(): void;
  /** The same promise, but rejected one second after the time is over. */
  within<T>(work: Promise<T>): Promise<T>;
}

const UNLIMITED: Deadline = {
  over: () => false,
  leftMs: () => Number.POSITIVE_INFINITY,
  check: () => undefined,
  within: (work) => work,
};

/** A deadline `ms` after the run began, but at least half of `ms` from now, so that every run tests something. Without `ms` there is no deadline. */
export function deadlineAfter(ms: number | undefined, beganAt = Date.now()): Deadline {
  if (ms === undefined) return UNLIMITED;
  const endsAt = Math.max(beganAt + ms, Date.now() + ms / 2);
  const waiting = new Set<(reason: SendError) => void>();
  const rejectAll = (): void => {
    for (const reject of waiting) reject(timeIsUp());
  };
  setTimeout(rejectAll, Math.max(0, endsAt - Date.now()) + GRACE_MS).unref();
  const over = (): boolean => Date.now() > endsAt;
  return {
    over,
    leftMs: () => Math.max(0, endsAt - Date.now()),
    check() {
      if (over()) throw timeIsUp();
    },
    within: (work) =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        work.then(resolve, reject).finally(() => waiting.delete(reject));
      }),
  };
}

/** Throws a SendError for a request that starts after the deadline, or is still in flight one second after it. */
export function withDeadline(deadline: Deadline | undefined): Middleware {
  if (deadline === undefined) return (next) => next;
  return (next) => async (spec) => {
    deadline.check();
    return deadline.within(next(spec));
  };
}

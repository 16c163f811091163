import { setTimeout as sleep } from 'node:timers/promises';
import { isSafe, methodOf } from '../request-spec.ts';
import type { Middleware } from '../request-spec.ts';
import { SendError } from '../send-error.ts';

/** How long after the deadline a request in flight may take, in milliseconds. */
const GRACE_MS = 1_000;

const timeIsUp = (): SendError => new SendError('time-limit', 'the time of this run was used up (--budget, --depth)');
const interrupted = (): SendError => new SendError('interrupted', 'the run was interrupted');

/** The time limit of a run. */
export interface Deadline {
  over(): boolean;
  /** Remaining milliseconds; `Infinity` without a deadline. */
  leftMs(): number;
  /** Throws a SendError once the time is over. */
  check(): void;
  /** The same promise, but rejected one second after the time is over; `reads`: at once where the run is interrupted. */
  within<T>(work: Promise<T>, reads?: boolean): Promise<T>;
  /** Calls the listener when the time is used up, before requests in flight are given up; not where the run is interrupted. */
  onTimeUp(listener: () => void): void;
  /** Ends the time now. Resolves once no request that may change something is in flight, at the latest after a second. */
  interrupt(): Promise<void>;
}

interface Waiting {
  readonly reject: (reason: SendError) => void;
  readonly reads: boolean;
  readonly done: Promise<unknown>;
}

/** A deadline `ms` after the run began, but at least half of `ms` from now, so that every run tests something. Without `ms` it ends with an interrupt only. */
export function deadlineAfter(ms: number | undefined, beganAt = Date.now()): Deadline {
  let endsAt = ms === undefined ? Number.POSITIVE_INFINITY : Math.max(beganAt + ms, Date.now() + ms / 2);
  let reason = timeIsUp;
  const waiting = new Set<Waiting>();
  const rejectAll = (): void => {
    for (const { reject } of waiting) reject(reason());
  };
  const listeners: (() => void)[] = [];
  const end = (): void => {
    if (reason === timeIsUp) for (const listener of listeners) listener();
    rejectAll();
  };
  if (ms !== undefined) setTimeout(end, Math.max(0, endsAt - Date.now()) + GRACE_MS).unref();
  const over = (): boolean => Date.now() > endsAt;
  return {
    over,
    leftMs: () => Math.max(0, endsAt - Date.now()),
    check() {
      if (over()) throw reason();
    },
    within: (work, reads = false) =>
      new Promise((resolve, reject) => {
        const each: Waiting = { reject, reads, done: work.then(resolve, reject).finally(() => waiting.delete(each)) };
        waiting.add(each);
      }),
    onTimeUp: (listener) => void listeners.push(listener),
    async interrupt() {
      reason = interrupted;
      endsAt = 0;
      const changes = [...waiting].filter(({ reads }) => !reads);
      for (const each of waiting) if (each.reads) each.reject(interrupted());
      await Promise.race([Promise.all(changes.map(({ done }) => done)), sleep(GRACE_MS, undefined, { ref: false })]);
      rejectAll();
    },
  };
}

/** Throws a SendError for a request that starts after the deadline, or is still in flight one second after it. */
export function withDeadline(deadline: Deadline | undefined): Middleware {
  if (deadline === undefined) return (next) => next;
  return (next) => async (spec) => {
    deadline.check();
    return deadline.within(next(spec), isSafe(methodOf(spec)));
  };
}

/** Throws a SendError for an attempt after the deadline: its request began before, and waited for its turn. */
export function withLastCheck(deadline: Deadline | undefined): Middleware {
  if (deadline === undefined) return (next) => next;
  return (next) => async (spec) => {
    deadline.check();
    return next(spec);
  };
}

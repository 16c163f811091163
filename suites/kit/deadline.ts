import { Skip } from './context.ts';

/** The end of the time that a run was given. */
export interface Deadline {
  /** True once the time is used up. */
  over(): boolean;
  /** The same promise, but that it ends as a {@link Skip} soon after the time is used up: what is under way then no longer counts. */
  within<T>(work: Promise<T>): Promise<T>;
}

/** How long after its end what was under way may still take, in milliseconds. */
const GRACE_MS = 1000;

const USED_UP = 'the time given with --max-time is used up';

/** A deadline so many milliseconds after the beginning, but half of them from now at least: something is tried in any case. Left out: none. */
export function deadlineAfter(ms: number | undefined, beganAt = Date.now()): Deadline {
  if (ms === undefined) return { over: () => false, within: (work) => work };
  const until = Math.max(beganAt + ms, Date.now() + ms / 2);
  const waiting = new Set<(reason: Skip) => void>();
  setTimeout(
    () => {
      for (const reject of waiting) reject(new Skip(USED_UP));
    },
    Math.max(0, until - Date.now()) + GRACE_MS,
  ).unref();
  return {
    over: () => Date.now() > until,
    within: (work) =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        work.then(resolve, reject).finally(() => waiting.delete(reject));
      }),
  };
}

/** Throws {@link Skip} once the time is used up. */
export function checkDeadline(deadline: Deadline): void {
  if (deadline.over()) throw new Skip(USED_UP);
}

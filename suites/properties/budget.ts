import type { Session } from '../kit/session.ts';

/** Longest time for one property, in milliseconds, so that a slow operation leaves time for the others. */
const LONGEST_MS = 60_000;

/** Every property has this time, however slow the target is. */
const SHORTEST_MS = 3_000;

/** Time for all properties together; each may take {@link SHARE} of what is left of it. */
const ALL_MS = 360_000;
const SHARE = 1 / 20;

/** The number of cases that these times are meant for. */
const RUNS = 100;

const STARTED = new WeakMap<Session, number>();

/** How much a property may still do. */
export interface Budget {
  /** Most cases. */
  readonly cases: number;
  /** True once its time is over. */
  isSpent(): boolean;
  /** Does work whose time does not count. */
  apart(work: () => Promise<void>): Promise<void>;
}

/** The budget of one property, or of its triage: `--runs` cases and a share of the time. */
export function openBudget(session: Session): Budget {
  const now = Date.now();
  const started = STARTED.get(session) ?? now;
  STARTED.set(session, started);
  let until = now + timeOf(session.options, now - started);
  return {
    cases: session.options.runs,
    isSpent: () => Date.now() > until || session.deadline.over(),
    async apart(work) {
      const began = Date.now();
      await work();
      until += Date.now() - began;
    },
  };
}

/** Milliseconds for one property, given how long all of them have taken so far. */
function timeOf({ runs, maxTimeMs }: Pick<Session['options'], 'runs' | 'maxTimeMs'>, elapsedMs: number): number {
  const scale = Math.max(1, runs / RUNS);
  const time = Math.max(SHORTEST_MS, Math.min(LONGEST_MS * scale, (ALL_MS * scale - elapsedMs) * SHARE));
  return maxTimeMs === undefined ? time : Math.min(time, Math.max(500, maxTimeMs * SHARE));
}

import type { Session } from '../../kit/session.ts';

/** Most milliseconds that one property may take, so that a slow operation can't eat what others need. */
const SLICE_MS = 60_000;

/** Milliseconds that every property has, however slow the target is. */
const LEAST_MS = 3_000;

/** Milliseconds for all properties; what is left of them is given out in shares, so that the later ones get less and none nothing. */
const ALL_MS = 360_000;

/** Share of the time that is left which one property may take. */
const SHARE = 1 / 20;

/** The cases that these times are meant for. */
const RUNS = 100;

const BEGUN = new WeakMap<Session, number>();

/** How much a property may still do. */
export interface Budget {
  /** Most cases. */
  readonly cases: number;
  /** True once its time is over. */
  spent(): boolean;
}

/** The budget of one property: `--runs` cases and its slice of time; what finds something may take as long again to tell it. */
export function openBudget(session: Session, cases = session.options.runs): Budget {
  const now = Date.now();
  const begun = BEGUN.get(session) ?? now;
  BEGUN.set(session, begun);
  const until = now + sliceOf(session.options, now - begun);
  return { cases, spent: () => Date.now() > until || session.deadline.over() };
}

/** Milliseconds for one property, by how long all of them have taken so far. */
function sliceOf({ runs, maxTimeMs }: Pick<Session['options'], 'runs' | 'maxTimeMs'>, elapsedMs: number): number {
  const more = Math.max(1, runs / RUNS);
  const slice = Math.max(LEAST_MS, Math.min(SLICE_MS * more, (ALL_MS * more - elapsedMs) * SHARE));
  return maxTimeMs === undefined ? slice : Math.min(slice, Math.max(500, maxTimeMs * SHARE));
}

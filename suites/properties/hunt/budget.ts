import type { Session } from '../../session/session.ts';

/** Most milliseconds that one property may take, so that a slow operation can't eat what others need. */
const SLICE_MS = 20_000;

/** Share of the time given for the whole run that one property may take. */
const SHARE = 1 / 20;

/** How much a property may still do. */
export interface Budget {
  /** Most cases. */
  readonly cases: number;
  /** True once its time is over. */
  spent(): boolean;
}

/** The budget of one property: `--runs` cases and its slice of time; what finds something may take as long again to tell it. */
export function openBudget(session: Session, cases = session.options.runs): Budget {
  const { maxTimeMs } = session.options;
  const slice = maxTimeMs === undefined ? SLICE_MS : Math.min(SLICE_MS, Math.max(500, maxTimeMs * SHARE));
  const until = Date.now() + slice;
  return { cases, spent: () => Date.now() > until || session.deadline.over() };
}

import type { Session } from '../kit/session.ts';

/** Limits for finding the root causes of one property's failures: milliseconds, and a share of the remaining time. */
const LONGEST_TRIAGE_MS = 20_000;
const TRIAGE_SHARE = 0.25;

/** Returns a function that is true once the time for root causes is used up; then failures are reported as they are. */
export function triageLimit({ time }: Session): () => boolean {
  const until = Date.now() + Math.min(LONGEST_TRIAGE_MS, time.leftMs() * TRIAGE_SHARE);
  return () => Date.now() > until || time.over();
}

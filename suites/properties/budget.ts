import type { Session } from '../kit/session.ts';

/** Longest time in milliseconds to find the root causes of what one property found, and the part of the time left for it. */
const LONGEST_TRIAGE_MS = 20_000;
const TRIAGE_SHARE = 0.25;

/** True once the root causes of what one property found may be looked for no longer: then cases are reported as they are. */
export function triageLimit({ time }: Session): () => boolean {
  const until = Date.now() + Math.min(LONGEST_TRIAGE_MS, time.leftMs() * TRIAGE_SHARE);
  return () => Date.now() > until;
}

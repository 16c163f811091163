import type { Violation } from '../../spec/index.ts';

/** A shorter time than this, in milliseconds, passes between any two requests of a run. */
const NOTABLE_MS = 300;

const LONGEST_SECONDS = 5;

/** When the first of the reads after a time was sent that were all answered like this one. */
export type SameSince = (read: Violation['exchanges'][number], after: number) => number;

/**
 * Seconds to wait before the last read, where the answer that contradicts the last change came only some time after it: an effect that
 * is undone later. Undefined where a read just after the change was answered in the same way.
 */
export function pauseBeforeRead({ exchanges }: Violation, sameSince: SameSince | undefined): number | undefined {
  const last = exchanges.at(-1);
  if (last?.request.method !== 'GET' || sameSince === undefined) return undefined;
  const change = exchanges.findLast(({ request, sentAt }) => request.method !== 'GET' && sentAt < last.sentAt);
  if (change === undefined) return undefined;
  const doneAt = change.sentAt + change.durationMs;
  const waitedMs = sameSince(last, doneAt) - doneAt;
  return waitedMs < NOTABLE_MS ? undefined : Math.min(LONGEST_SECONDS, Math.ceil(waitedMs / 1000));
}

/** The command that waits; none without a pause. */
export const sleepFor = (seconds: number | undefined): readonly string[] =>
  seconds === undefined ? [] : [`sleep ${seconds}`];

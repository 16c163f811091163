import type { Known } from './known.ts';
import { allowed } from './allowed.ts';
import type { Request } from './allowed.ts';
import { narrow } from './outcome.ts';
import type { Answer, Outcome } from './outcome.ts';

/** What overlapping calls may be answered besides: section 7 has 409 for a conflict, which changes nothing. Reads have none. */
export function allowedOverlapping(known: Known, request: Request): readonly Outcome<Known>[] {
  return [...allowed(known, request), ...(isRead(request) ? [] : [{ status: [409], after: known, source: '7 Errors, 409' }])];
}

/** The oracle as a sequential specification of one thing, for {@link linearize}. Without an answer a call may have been served or not. */
export const ONE_THING = {
  step(known: Known, request: Request, answer: Answer | undefined): readonly Known[] {
    const outcomes = allowedOverlapping(known, request);
    return answer === undefined ? [known, ...outcomes.map((each) => each.after)] : narrow(outcomes, answer);
  },
  reads: isRead,
  key: (known: Known): string => `${known.there} ${known.content} ${known.active} ${known.runs}`,
};

/** Requests that only look. */
export function isRead({ kind }: Request): boolean {
  return kind === 'read' || kind === 'list' || kind === 'list-active';
}

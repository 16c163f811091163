import { SUCCESS } from './known.ts';
import type { Known } from './known.ts';
import { allowed } from './allowed.ts';
import type { Request } from './allowed.ts';
import { narrow } from './outcome.ts';
import type { Answer, Outcome } from './outcome.ts';

/**
 * What overlapping calls may be answered besides: section 7 has 409 for a conflict, which changes nothing, and two deletions
 * at once may both succeed, for the item was there when each began. Reads have neither.
 */
export function allowedOverlapping(known: Known, request: Request): readonly Outcome<Known>[] {
  const conflict: readonly Outcome<Known>[] = isRead(request)
    ? []
    : [{ status: [409], after: known, source: '7 Errors, 409' }];
  const again: readonly Outcome<Known>[] =
    request.kind === 'delete' && !known.there ? [{ status: SUCCESS, after: known, source: '4, DELETE' }] : [];
  return [...allowed(known, request), ...conflict, ...again];
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

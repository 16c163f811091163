import { isRead } from '../../oracle/index.ts';
import type { Known } from '../../oracle/index.ts';
import type { Recorded } from './history.ts';

/** A read that no lateness explains: what it shows was never there, or what was there is denied. */
export interface Invented {
  readonly read: Recorded;
  readonly expected: string;
}

/** Finds a read among overlapping calls on one thing that shows neither what it was nor what any call made it. */
export function inventedRead(before: Known, calls: readonly Recorded[]): Invented | undefined {
  for (const read of calls.filter((each) => isRead(each.request))) {
    const earlier = calls.filter((each) => each.invoked <= read.returned);
    const mayBeGone = !before.there || earlier.some((each) => each.request.kind === 'delete');
    const contents = [
      before.content,
      ...earlier.flatMap(({ request }) =>
        request.kind === 'update' || request.kind === 'patch' ? [request.content] : [],
      ),
    ];
    const { status, content, listed } = read.answer ?? {};
    if (status === undefined) continue;
    const denied = status !== 200 || listed === false;
    if (denied && !mayBeGone && read.request.kind !== 'list-active')
      return { read, expected: '200 and the item: nobody deleted it' };
    if (content !== undefined && !contents.includes(content))
      return { read, expected: `what it was, or what a call made it: ${contents.join(' or ')}` };
  }
  return undefined;
}

/** How long ago, in milliseconds, what a read shows had certainly been replaced; 0 where it may still have been there. */
export function staleness(calls: readonly Recorded[], read: Recorded): number {
  const content = read.answer?.content;
  const written = calls.find(
    ({ request }) => (request.kind === 'update' || request.kind === 'patch') && request.content === content,
  );
  const since = written?.returned ?? -Infinity;
  const replaced = calls.filter(
    ({ request, invoked, answer }) =>
      (request.kind === 'update' || request.kind === 'patch') &&
      request.content !== content &&
      invoked >= since &&
      (answer?.status ?? 500) < 300,
  );
  const at = Math.min(...replaced.map((each) => each.returned));
  return Number.isFinite(at) ? Math.max(0, read.invoked - at) : 0;
}

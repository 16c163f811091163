import { isSuccess } from '../../../spec/index.ts';
import { describeContent, isReadRequest, isShown } from '../../oracle/index.ts';
import type { Known } from '../../oracle/index.ts';
import type { RecordedCall } from './calls.ts';

/** A read that shows a state that never existed. */
export interface ImpossibleRead {
  readonly read: RecordedCall;
  readonly expected: string;
}

/** Finds a read that shows neither the initial state nor a state that a call produced; stale reads are allowed. */
export function findImpossibleRead(initial: Known, calls: readonly RecordedCall[]): ImpossibleRead | undefined {
  for (const read of calls.filter(({ request }) => isReadRequest(request))) {
    const { status, content, listed } = read.response ?? {};
    if (status === undefined) continue;
    const earlier = calls.filter(({ invoked }) => invoked <= read.returned);
    const mayBeDeleted = !initial.exists || earlier.some(({ request }) => request.kind === 'delete');
    const isMissing = !isShown(status) || listed === false;
    if (isMissing && !mayBeDeleted && read.request.kind !== 'list-active')
      return { read, expected: 'status 200 and the item, because nobody deleted it' };
    const contents = [initial.content, ...earlier.flatMap((call) => writtenBy(call) ?? [])];
    if (content !== undefined && !contents.includes(content))
      return { read, expected: `the item as it was sent: ${contents.map(describeContent).join(' or ')}` };
  }
  return undefined;
}

/** Milliseconds since the content that a read shows was replaced; 0 where it may still have been current. */
export function staleness(calls: readonly RecordedCall[], read: RecordedCall): number {
  const content = read.response?.content;
  const since = calls.find((call) => writtenBy(call) === content)?.returned ?? -Infinity;
  const replaced = calls.filter(
    (call) =>
      writtenBy(call) !== undefined &&
      writtenBy(call) !== content &&
      call.invoked >= since &&
      isSuccess(call.response?.status ?? 500),
  );
  const at = Math.min(...replaced.map(({ returned }) => returned));
  return Number.isFinite(at) ? Math.max(0, read.invoked - at) : 0;
}

function writtenBy({ request }: RecordedCall): string | undefined {
  return request.kind === 'update' || request.kind === 'patch' ? request.content : undefined;
}

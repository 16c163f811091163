import type { Sample } from './messages.ts';
import type { KeptAnswer } from './response-reader.ts';
import { patchId } from './traffic.ts';
import type { ReadyRequest } from './traffic.ts';

/** What was under way when an answer came. */
export interface Sent {
  readonly request: ReadyRequest;
  readonly id: number;
  /** On the clock of `performance.now()`. */
  readonly sentAt: number;
}

/** A kept answer with its request as it was: the shared bytes may hold a later id by now. */
export function sampleOf(sent: Sent, status: number, kept: KeptAnswer, fieldWidth: number): Sample {
  const copy = { ...sent.request, bytes: Buffer.from(sent.request.bytes) };
  patchId(copy, fieldWidth, sent.id);
  return {
    request: sent.request.index,
    sent: copy.bytes,
    status,
    head: kept.head,
    body: kept.body,
    truncated: kept.truncated,
    sentAt: performance.timeOrigin + sent.sentAt,
    durationMs: performance.now() - sent.sentAt,
  };
}

import type { Sample } from './messages.ts';
import type { KeptAnswer } from './response-reader.ts';
import { patchId } from './traffic.ts';
import type { ReadyRequest } from './traffic.ts';

/** A request that was answered. */
export interface Sent {
  readonly request: ReadyRequest;
  readonly id: number;
  /** By `performance.now()`. */
  readonly sentAt: number;
}

/** A kept response with its request as sent: the shared bytes may already hold a later id. */
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

import type { Sample } from './messages.ts';
import type { KeptAnswer } from './response-reader.ts';
import { patchId } from './traffic.ts';
import type { ReadyRequest } from './traffic.ts';

export interface SampledRequest {
  readonly request: ReadyRequest;
  readonly id: number;
  /** On the clock of `performance.now()`. */
  readonly sentAt: number;
}

/** A sample with its request as sent: the shared bytes may already hold a later id. */
export function sampleOf(sent: SampledRequest, status: number, kept: KeptAnswer, fieldWidth: number): Sample {
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

const REFILLS_PER_SECOND = 20;
const UNACCEPTED_PER_REFILL = 1;

/** Limits the number of samples per second, so that the cost of checks does not grow with the rate. */
export class SampleBudget {
  #left = 0;
  #unaccepted = 0;
  #owed = 0;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(perSecond: number) {
    if (perSecond <= 0) return;
    const each = perSecond / REFILLS_PER_SECOND;
    this.#left = Math.ceil(each);
    this.#timer = setInterval(() => {
      this.#owed += each;
      this.#left = Math.floor(this.#owed);
      this.#owed -= this.#left;
      this.#unaccepted = UNACCEPTED_PER_REFILL;
    }, 1000 / REFILLS_PER_SECOND);
  }

  /** True if a response may be kept. Unaccepted ones have their own budget, so that rare ones are checked too. */
  take(isUnaccepted: boolean): boolean {
    if (isUnaccepted && this.#unaccepted > 0) {
      this.#unaccepted -= 1;
      return true;
    }
    if (this.#left <= 0) return false;
    this.#left -= 1;
    return true;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

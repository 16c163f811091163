import { createHash } from 'node:crypto';
import type { Exchange } from '../../spec/index.ts';

const MOST_URLS = 500;
/** Of one URL: as many as a test sends while it waits for a change. */
const MOST_READS = 24;

interface Answer {
  readonly sentAt: number;
  readonly digest: string;
}

/** The status and the body of a read; of a refusal only the status, since its body may name the trace. */
function digestOf({ response }: Exchange): string {
  const { status = 0, body = new Uint8Array() } = response ?? {};
  return `${status} ${status < 400 ? createHash('sha1').update(body).digest('base64') : ''}`;
}

/** The last answers to each of the latest reads. */
export class LastAnswers {
  readonly #byUrl = new Map<string, readonly Answer[]>();

  add(exchange: Exchange): void {
    const { request, sentAt } = exchange;
    if (request.method !== 'GET') return;
    const known = this.#byUrl.get(request.url) ?? [];
    this.#byUrl.delete(request.url);
    this.#byUrl.set(request.url, [...known, { sentAt, digest: digestOf(exchange) }].slice(-MOST_READS));
    const oldest = this.#byUrl.size > MOST_URLS ? this.#byUrl.keys().next().value : undefined;
    if (oldest !== undefined) this.#byUrl.delete(oldest);
  }

  /** When the first of the reads after `after` was sent that were all answered like this one. */
  sameSince(read: Exchange, after: number): number {
    const digest = digestOf(read);
    const before = (this.#byUrl.get(read.request.url) ?? [])
      .filter(({ sentAt }) => sentAt >= after && sentAt <= read.sentAt)
      .toSorted((a, b) => a.sentAt - b.sentAt);
    const other = before.findLastIndex((each) => each.digest !== digest);
    return before[other + 1]?.sentAt ?? read.sentAt;
  }
}

import { createHash } from 'node:crypto';
import { idsInResponse } from '../../client/index.ts';
import { idsOf } from '../../domain/items.ts';
import type { Exchange } from '../../spec/index.ts';

const MOST_URLS = 500;
/** Of one URL: as many as a test sends while it waits for a change. */
const MOST_READS = 24;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

interface Answer {
  readonly sentAt: number;
  readonly endedAt: number;
  /** The status and the body; of a refusal only the status, since its body may name the trace. */
  readonly digest: string;
  /** Ids of the items of a list. */
  readonly ids: string | undefined;
  /** Set for an empty list. */
  readonly empty?: Exchange;
}

function answerOf(exchange: Exchange): Answer {
  const { response, sentAt, durationMs } = exchange;
  const { status = 0, body = new Uint8Array(), json } = response ?? {};
  const digest = `${status} ${status < 400 ? createHash('sha1').update(body).digest('base64') : ''}`;
  const ids = idsOf(json)?.join(' ').toLowerCase();
  const isEmpty = status === 200 && Array.isArray(json) && json.length === 0;
  return { sentAt, endedAt: sentAt + durationMs, digest, ids, ...(isEmpty ? { empty: exchange } : {}) };
}

/** What an answer shows of a change: of a list that others change too, whether the changed item is in it. */
function shownBy({ ids, digest }: Answer, { url }: Exchange['request'], id: string | undefined): string {
  return ids === undefined || id === undefined || url.toLowerCase().includes(id) ? digest : String(ids.includes(id));
}

/** Sets a value as the newest entry, and drops the oldest one where there are more than `most`. */
export function keep<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.size > most ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}

/** The last answers to each of the latest reads. */
export class LastAnswers {
  readonly #byUrl = new Map<string, readonly Answer[]>();

  add(exchange: Exchange): void {
    const { url, method } = exchange.request;
    if (method !== 'GET') return;
    const known = this.#byUrl.get(url) ?? [];
    keep(this.#byUrl, url, [...known, answerOf(exchange)].slice(-MOST_READS), MOST_URLS);
  }

  /** The answer before that to the same read, if it is an empty list, with the ids of items that an answer before and the given one show. */
  emptyBefore(read: Exchange): { readonly empty: Exchange; readonly ids: readonly string[] } | undefined {
    const sorted = (this.#byUrl.get(read.request.url) ?? []).toSorted((a, b) => a.sentAt - b.sentAt);
    const before = sorted.filter(({ sentAt, endedAt }) => sentAt < read.sentAt && endedAt <= read.sentAt);
    const { empty } = before.at(-1) ?? {};
    if (empty === undefined) return undefined;
    const earlier = before.findLast(({ ids, endedAt }) => ids !== undefined && ids !== '' && endedAt <= empty.sentAt);
    const shown = new Set(earlier?.ids?.split(' '));
    return { empty, ids: (idsOf(read.response?.json) ?? []).filter((id) => shown.has(id)) };
  }

  /** Since when, after the change, the read was answered as the given one; `wasOther`: before that, it was answered otherwise. */
  sameSince(read: Exchange, change: Exchange): { readonly at: number; readonly wasOther: boolean } {
    const [id] = UUID.exec(change.request.url.split('?', 1)[0] ?? '') ?? idsInResponse(change);
    const shown = (answer: Answer): string => shownBy(answer, read.request, id?.toLowerCase());
    const after = (this.#byUrl.get(read.request.url) ?? [])
      .filter(({ sentAt }) => sentAt >= change.sentAt + change.durationMs && sentAt <= read.sentAt)
      .toSorted((a, b) => a.sentAt - b.sentAt);
    const last = shown(answerOf(read));
    const other = after.findLastIndex((each) => shown(each) !== last);
    return { at: after[other + 1]?.sentAt ?? read.sentAt, wasOther: other >= 0 };
  }
}

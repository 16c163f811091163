import type { Exchange, Violation } from '../../spec/index.ts';
import { bodyText } from './ids.ts';

/** A shorter time than this, in milliseconds, passes between any two requests of a run. */
const NOTABLE_MS = 300;

const LONGEST_SECONDS = 5;

/** Since when, after a change, a read was answered as the given one; `wasOther`: before that, it was answered otherwise. */
export type SameSince = (read: Exchange, change: Exchange) => { readonly at: number; readonly wasOther: boolean };

interface Pause {
  readonly pauseSeconds?: number;
  /** The run saw another answer before. */
  readonly isUndone?: boolean;
}

/**
 * How long to wait before the last read, where the answer that contradicts the last change came only some time after it: an effect that
 * is undone later. Nothing where a read just after the change was answered in the same way, or a read just before this one otherwise:
 * then what matters is that they follow each other.
 */
export function pauseBeforeRead({ exchanges }: Violation, sameSince: SameSince | undefined): Pause {
  const last = exchanges.at(-1);
  if (last?.request.method !== 'GET' || sameSince === undefined) return {};
  const change = exchanges.findLast(({ request, sentAt }) => request.method !== 'GET' && sentAt < last.sentAt);
  if (change === undefined || follows(last, exchanges.at(-2))) return {};
  const { at, wasOther } = sameSince(last, change);
  const waitedMs = at - (change.sentAt + change.durationMs);
  if (waitedMs < NOTABLE_MS) return {};
  return { pauseSeconds: Math.min(LONGEST_SECONDS, Math.ceil(waitedMs / 1000)), isUndone: wasOther };
}

/** True for a read just after another one of the same URL, which was answered otherwise. */
function follows({ request, response, sentAt }: Exchange, before: Exchange | undefined): boolean {
  const isSame = before?.request.method === 'GET' && before.request.url === request.url;
  if (!isSame || sentAt - (before.sentAt + before.durationMs) >= NOTABLE_MS) return false;
  return bodyText(before.response?.body) !== bodyText(response?.body);
}

export const sleepFor = (seconds: number | undefined): readonly string[] =>
  seconds === undefined ? [] : [`sleep ${seconds}`];

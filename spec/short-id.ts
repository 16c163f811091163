import { escapeRegExp } from './escape.ts';

/** Shorter ids are common words and numbers: they are looked for only where an id has to be. */
const SHORTEST_WORD = 6;

/** True for an id that may be part of other words and numbers. */
export function isShortId(id: string): boolean {
  return id.length < SHORTEST_WORD;
}

/** An expression for a short id in a URL or path: a segment, or the value of a parameter for an id. Matches nothing elsewhere. */
export function shortIdInUrl(id: string): string {
  const before = String.raw`(?<=^(?:[a-z][a-z\d+.-]*://[^/?]*)?/(?:[^?]*/|[^?]*\?(?:.*&)?[^&=]*id=)?)`;
  return `${before}${escapeRegExp(id)}(?=[/?&]|$)`;
}

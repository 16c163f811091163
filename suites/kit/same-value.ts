import { isUuid, TIME } from '../../domain/items.ts';
import type { Json } from '../../spec/index.ts';

/**
 * True for two values, not lists or objects, with the same meaning. The format of the description decides: times are compared by
 * instant, uuids without regard to case, other texts literally. Texts without a known format are compared as times or uuids
 * where both look like one. Numbers are compared by value; null is equal to an absent value.
 */
export function sameValue(a: Json | undefined, b: Json | undefined, format: string | undefined): boolean {
  if (a === b || (isNull(a) && isNull(b))) return true;
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  if (format === undefined) return (isUuid(a) && sameText(a, b)) || sameInstant(a, b);
  if (format === 'uuid') return sameText(a, b);
  return format === 'date-time' && sameInstant(a, b);
}

function isNull(value: Json | undefined): boolean {
  return value === null || value === undefined;
}

function sameText(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Compares times by instant, with the precision of the less precise one; without an offset they are in UTC. */
function sameInstant(a: string, b: string): boolean {
  const [one, two] = [TIME.exec(a), TIME.exec(b)];
  if (one === null || two === null) return false;
  const digits = Math.min(one[1]?.length ?? 0, two[1]?.length ?? 0, 3);
  const unit = 10 ** (3 - digits);
  return Math.floor(instant(a, one) / unit) === Math.floor(instant(b, two) / unit);
}

function instant(text: string, match: RegExpExecArray): number {
  return Date.parse(match[2] === undefined ? `${text}Z` : text);
}

import type { Outcome } from './outcome.ts';
import { SUCCESS } from './known.ts';

/** What is known of the processing order: policies that were set or seen in it, in its order. Others may stand between them. */
export type KnownOrder = readonly string[];

/** Section 3: the order is set as a whole by posting an ordered array, and read back as it was set. */
export function setOrder(
  known: KnownOrder,
  sent: readonly string[],
  there: ReadonlySet<string>,
): readonly Outcome<KnownOrder>[] {
  const refused: Outcome<KnownOrder> = {
    status: [400, 404, 409],
    after: known,
    source: '7 Errors: a refused request changes nothing',
  };
  const kept = sent.filter((id, at) => there.has(id) && sent.indexOf(id) === at);
  const stored: Outcome<KnownOrder> = { status: SUCCESS, after: kept, source: '3, processing order' };
  const whole = kept.length === sent.length && [...there].every((id) => sent.includes(id));
  return whole ? [stored] : [stored, refused];
}

/** Sections 3 and 7: only setting the order orders; what was deleted is no longer in it. */
export function withoutDeleted(known: KnownOrder, id: string): KnownOrder {
  return known.filter((each) => each !== id);
}

/** How an order that was read departs from what is known; undefined: it does not. */
export function departsFrom(
  known: KnownOrder,
  seen: readonly string[],
): 'lacks' | 'repeats' | 'other order' | undefined {
  const places = new Set(seen);
  if (known.some((id) => !places.has(id))) return 'lacks';
  if (places.size < seen.length) return 'repeats';
  const wanted = new Set(known);
  const among = seen.filter((id) => wanted.has(id));
  return among.every((id, at) => id === known[at]) ? undefined : 'other order';
}

import { SUCCESS } from './item.ts';
import type { Outcome } from './outcome.ts';

/** What is known of the processing order: ids of policies in their order. Others may stand between them. */
export type KnownOrder = readonly string[];

/** Section 3: the order is set as a whole by posting an ordered array, and read back as it was set. */
export function setOrder(
  known: KnownOrder,
  sent: readonly string[],
  existing: ReadonlySet<string>,
): readonly Outcome<KnownOrder>[] {
  const kept = sent.filter((id, at) => existing.has(id) && sent.indexOf(id) === at);
  const stored: Outcome<KnownOrder> = { status: SUCCESS, after: kept, source: '3, processing order' };
  const isComplete = kept.length === sent.length && [...existing].every((id) => sent.includes(id));
  if (isComplete) return [stored];
  return [stored, { status: [400, 404, 409], after: known, source: '7 Errors: a refused request changes nothing' }];
}

/** Sections 3 and 7: only setting the order changes it; a deleted policy is no longer in it. */
export function withoutDeleted(known: KnownOrder, id: string): KnownOrder {
  return known.filter((each) => each !== id);
}

/** How an order that was read differs from the known one; undefined: it does not. */
export function orderDifference(
  known: KnownOrder,
  seen: readonly string[],
): 'missing' | 'repeated' | 'moved' | undefined {
  const distinct = new Set(seen);
  if (known.some((id) => !distinct.has(id))) return 'missing';
  const expected = new Set(known);
  // A known order may repeat ids itself, where a deployment shows it so: that was found before.
  if (seen.length - distinct.size > known.length - expected.size) return 'repeated';
  return seen.filter((id) => expected.has(id)).every((id, at) => id === known[at]) ? undefined : 'moved';
}

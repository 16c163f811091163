import { operationOf } from '../../../domain/builtin/operations.ts';
import { readOrder } from '../../../domain/builtin/processing-order.ts';
import { idOf, itemsIn, memberOf } from '../../../domain/items.ts';
import type { Exchange, Form } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';

/** One `order` in the entries of all these policies, although each was sent with its own. */
export async function findSamePlace(t: TestContext, form: Form, ids: ReadonlySet<string>, set: Exchange): Evaluation {
  const read = await readOrder(t, form);
  const own = (itemsIn(read) ?? []).filter((entry) => ids.has(idOf(entry)?.toLowerCase() ?? ''));
  const places = own.flatMap((entry) => memberOf(entry, 'order') ?? []);
  if (places.length < 2 || new Set(places).size > 1) return undefined;
  return violationOf('published-behaviour/value', operationOf(t, 'order'), {
    subject: 'order',
    requirement: 'published.order-places',
    expected: 'an order of its own in each entry, as it was sent',
    received: `order ${JSON.stringify(places[0])} in the entries of ${places.length} policies`,
    exchanges: [set, read],
  });
}

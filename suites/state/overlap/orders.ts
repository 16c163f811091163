import { setTimeout as sleep } from 'node:timers/promises';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { saveOrder } from '../../../domain/builtin/processing-order.ts';
import { idsOf } from '../../../domain/items.ts';
import { isServed, isSuccess } from '../../../spec/index.ts';
import type { Exchange, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { persists } from '../../kit/polling.ts';
import { violationOf } from '../../kit/violation.ts';
import { orderDifference } from '../../oracle/index.ts';
import { formAt } from '../define.ts';
import { arrange, ARRANGEMENTS } from '../order/arrangements.ts';
import {
  checkOrder,
  notAsSet,
  orderBody,
  orderEntries,
  putOrder,
  skipIfUnreliable,
} from '../order/processing-order.ts';
import type { SentOrder } from '../order/processing-order.ts';
import { othersSetTheOrder } from '../order/stability.ts';

/** When the order is read, in milliseconds after the orders were sent. */
const READ_AFTER_MS = [0, 2, 4, 7, 11, 16];

/**
 * Sets two orders at the same time and reads the order meanwhile: the final order must be one of them, and every read must show a
 * whole order. `known` collects the sequences that the own policies have had.
 */
export async function overlappingOrders(
  t: TestContext,
  own: readonly string[],
  round: number,
  known: Set<string>,
): Evaluation {
  await saveOrder(t);
  const [setting, reading] = [operationOf(t, 'setOrder'), operationOf(t, 'order')];
  const before = await requireOrder(t, own);
  if (!isServed(before.exchange)) return undefined;
  const entries = await orderEntries(t);
  const ids = [...entries.keys()];
  const second = round % 2 === 0 ? ARRANGEMENTS.first : ARRANGEMENTS.reversedLast;
  const orders = [ARRANGEMENTS.reversedAround, second].map((each) => arrange(ids, own, each));
  for (const order of [ids, before.sent, ...orders]) known.add(ownSequence(order, own));
  const [sets, reads] = await Promise.all([
    Promise.all(
      orders.map((order, at) => {
        const request = { json: orderBody(order, entries), label: 'set an order', form: formAt(setting, at + round) };
        return t.sendQuietly(setting, request);
      }),
    ),
    Promise.all(
      READ_AFTER_MS.map(async (delayMs) => {
        await sleep(delayMs);
        return t.send(reading, { label: 'read the order meanwhile' });
      }),
    ),
  ]);
  if (sets.every(({ response }) => !isSuccess(response?.status ?? 0))) return undefined;
  for (const read of reads) {
    const violation = findMixedRead(t, read, { sets, own, known });
    if (violation !== undefined) return violation;
  }
  return persists(t, () => findMixedOrder(t, sets, orders, own));
}

/** Sets one order. Skips the test where it is not returned as set: then nothing can be concluded from overlapping orders. */
export async function requireOrder(t: TestContext, own: readonly string[]): Promise<SentOrder> {
  await skipIfUnreliable(t);
  const set = await putOrder(t, undefined, (ids) => arrange(ids, own, ARRANGEMENTS.around));
  if (!isServed(set.exchange)) return set;
  if (!own.every((id) => set.sent.includes(id))) t.skip('the processing order does not show all of the own policies');
  const expected = { known: set.sent, own: new Set(own), steps: [set.exchange], otherwise: notAsSet(t) };
  if ((await checkOrder(t, expected)) !== undefined && !(await othersSetTheOrder(t)))
    t.skip('the processing order is not returned as it was set');
  return set;
}

/** The own policies of an order as one text. */
export function ownSequence(order: readonly string[], own: readonly string[]): string {
  return order.filter((id) => own.includes(id)).join(' ');
}

interface Meanwhile {
  readonly sets: readonly Exchange[];
  readonly own: readonly string[];
  readonly known: ReadonlySet<string>;
}

/** A read that shows an order that never existed: policies are missing, or orders are mixed. An older order is allowed. */
function findMixedRead(t: TestContext, read: Exchange, { sets, own, known }: Meanwhile): Violation | undefined {
  const seen = isServed(read) ? idsOf(read.response.json) : undefined;
  if (seen === undefined) return undefined;
  const missing = own.filter((id) => !seen.includes(id)).length;
  if (missing === 0 && known.has(ownSequence(seen, own))) return undefined;
  return violationOf(missing > 0 ? 'overlap/list-incomplete' : 'overlap/order-mixed', operationOf(t, 'order'), {
    requirement: 'policies.processing-order',
    expected: 'all policies, in the order before or in one of those that were set',
    received: missing > 0 ? `${missing} of ${own.length} own policies are missing` : 'an order that nobody set',
    exchanges: [...sets, read],
  });
}

async function findMixedOrder(
  t: TestContext,
  sets: readonly Exchange[],
  orders: readonly (readonly string[])[],
  own: readonly string[],
): Evaluation {
  const read = await t.send(operationOf(t, 'order'), { label: 'read the final order' });
  const seen = idsOf(read.response?.json);
  if (seen === undefined) return undefined;
  const present = new Set(seen);
  // Others may have deleted their policies meanwhile.
  const expected = orders
    .filter((_, at) => isSuccess(sets[at]?.response?.status ?? 0))
    .map((order) => order.filter((id) => own.includes(id) || present.has(id)));
  if (expected.some((order) => orderDifference(order, seen) === undefined)) return undefined;
  return violationOf('overlap/order-mixed', operationOf(t, 'setOrder'), {
    requirement: 'policies.processing-order',
    expected: 'one of the two orders, as a whole (api.md section 3)',
    received: 'another order',
    exchanges: [...sets, read],
  });
}

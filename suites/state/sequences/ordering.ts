import { isSuccess } from '../../../spec/index.ts';
import type { Exchange, Form } from '../../../spec/index.ts';
import { departsFrom } from '../../oracle/index.ts';
import { idsOf } from '../../../domain/items.ts';
import { Skip } from '../../kit/context.ts';
import type { Violation, TestContext } from '../../kit/context.ts';
import { currentOrder, listsDeletedPolicy, saveOrder } from '../../../domain/builtin/processing-order.ts';
import { persists } from './patience.ts';
import { settled } from '../../../domain/context.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';

/** Puts ids in another order. */
export type Arrange = (ids: readonly string[]) => readonly string[];

/** An order that was set: ids in lower case. */
export interface SetOrder {
  readonly sent: readonly string[];
  readonly exchange: Exchange;
}

/** Most tries to set an order while others create and delete policies. */
const TRIES = 8;

/** Entries of the processing order, by lower-case id. */
export async function orderEntries(t: TestContext): Promise<ReadonlyMap<string, { readonly id: string }>> {
  return new Map((await currentOrder(t)).map((each) => [each.id.toLowerCase(), each]));
}

/**
 * Sets the whole order anew, as it is at this moment but arranged; a refusal counts only where nobody changed the policies meanwhile
 * and what was read had time to be no longer old.
 */
export async function putOrder(t: TestContext, form: Form | undefined, arrange: Arrange): Promise<SetOrder> {
  await saveOrder(t);
  const operation = operationOf(t.session, 'setOrder');
  const { settleMs } = t.session.options;
  const until = Date.now() + settleMs;
  for (let attempt = 0; attempt < TRIES || Date.now() <= until; attempt += 1) {
    const isLast = Date.now() >= until;
    const now = await orderEntries(t);
    const sent = arrange([...now.keys()]);
    const json = sent.map((id, order) => ({ ...now.get(id), id: now.get(id)?.id ?? id, order }));
    const exchange = await t.sendQuietly(operation, {
      json,
      label: 'set the processing order',
      ...(form === undefined ? {} : { form }),
    });
    const isServed = isSuccess(exchange.response?.status ?? 0);
    const after = isServed ? now : await orderEntries(t);
    if (isServed || (isLast && after.size === now.size && [...after.keys()].every((id) => now.has(id)))) {
      if (isServed || !(await listsDeletedPolicy(t, sent, exchange))) t.judge(operation, exchange, 'success');
      return { sent, exchange };
    }
    if (!isServed)
      await new Promise((resolve) => {
        setTimeout(resolve, settleMs / TRIES);
      });
  }
  throw new Skip('others change the policies faster than their order can be set');
}

/** Waits until the order has all of these. Where it never does they are put into it by setting it: the document does not say how they come there. */
export async function awaitInOrder(t: TestContext, ids: readonly string[]): Promise<void> {
  await settled(t, async () => {
    const entries = await orderEntries(t);
    return ids.every((id) => entries.has(id));
  });
}

/** What is looked for in the order, and how it came to be. */
export interface OrderLook {
  /** What must be in it, in this order, where others have not deleted it. */
  readonly known: readonly string[];
  /** Of the run's own: these must not be missing. */
  readonly own: ReadonlySet<string>;
  /** Deleted: must be missing. */
  readonly gone?: string;
  readonly form?: Form | undefined;
  readonly steps: readonly Exchange[];
  /** What a departure is blamed on. */
  readonly blame: Pick<Violation, 'check' | 'operation' | 'requirement'> & { readonly cause: string };
  readonly patienceMs?: number;
}

/** Looks at the order until it is as it must be; what departs from that after the settling time is a violation. */
export function lookAtOrder(t: TestContext, look: OrderLook): Promise<Violation | undefined> {
  const operation = operationOf(t.session, 'order');
  return persists(
    t,
    async () => {
      const exchange = await t.send(operation, {
        expect: 'success',
        label: 'read the processing order',
        ...(look.form === undefined ? {} : { form: look.form }),
      });
      const seen = idsOf(exchange.response?.json);
      return seen === undefined ? undefined : judgeOrder(look, seen, exchange);
    },
    look.patienceMs,
  );
}

function judgeOrder(look: OrderLook, seen: readonly string[], exchange: Exchange): Violation | undefined {
  const { check, operation, requirement, cause } = look.blame;
  const at = { check, ...(operation === undefined ? {} : { operation }), exchanges: [...look.steps, exchange] };
  const cite = requirement === undefined ? {} : { requirement };
  if (look.gone !== undefined && seen.includes(look.gone)) {
    return {
      ...at,
      cause: 'still in the processing order',
      message: `${exchange.operation}: a deleted policy is still in the processing order`,
      expected: `${look.gone} is not in it`,
      received: 'it is',
    };
  }
  const there = new Set(seen);
  const known = look.known.filter((id) => look.own.has(id) || there.has(id));
  const departure = departsFrom(known, seen);
  if (departure === undefined) return undefined;
  const among = seen.filter((id) => known.includes(id));
  return {
    ...at,
    ...cite,
    cause: departure === 'other order' ? cause : `the order ${departure} policies`,
    message: departure === 'other order' ? cause : `the processing order ${departure} policies`,
    expected: `in this order: ${shown(known, among)} (api.md 3)`,
    received: shown(among, known),
  };
}

/** Ids from a little before the first that differs, short enough to compare; the whole ones stand in the steps. */
function shown(ids: readonly string[], others: readonly string[]): string {
  const [most, before] = [8, 2];
  const from = Math.max(0, ids.findIndex((id, at) => id !== others[at]) - before);
  const some = ids
    .slice(from, from + most)
    .map((id) => id.slice(0, 8))
    .join(', ');
  return `${from > 0 ? '… ' : ''}${some}${ids.length > from + most ? ' …' : ''} (of ${ids.length}${from > 0 ? `, from place ${from + 1} on` : ''})`;
}

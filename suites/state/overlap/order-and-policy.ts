import { operationOf } from '../../../domain/builtin/operations.ts';
import { saveOrder } from '../../../domain/builtin/processing-order.ts';
import { isServed, isSuccess } from '../../../spec/index.ts';
import type { Exchange } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { areTogether } from '../../kit/latest-changes.ts';
import { persists } from '../../kit/polling.ts';
import { violationOf } from '../../kit/violation.ts';
import type { RequestKind } from '../../oracle/index.ts';
import { formAt } from '../define.ts';
import { arrange, ARRANGEMENTS } from '../order/arrangements.ts';
import { checkOrder, orderBody, orderEntries } from '../order/processing-order.ts';
import type { OrderEntries, SentOrder } from '../order/processing-order.ts';
import { createTracked, requestOf } from '../sequences/items.ts';
import type { TrackedItem } from '../sequences/items.ts';
import type { Setup } from '../sequences/setup.ts';
import { prepareCall, sendCall } from './calls.ts';
import type { RecordedCall } from './calls.ts';
import { findLacking } from './creations.ts';
import { ownSequence, requireOrder } from './orders.ts';
import { findSequentially, findUnexplained } from './race.ts';

/** Calls on policies while the order is set. */
export const DURING_ORDER = ['create', 'activate', 'update', 'delete'] as const satisfies readonly (
  | RequestKind
  | 'create'
)[];

export interface OrderRace {
  readonly setup: Setup;
  readonly own: readonly TrackedItem[];
  readonly kind: (typeof DURING_ORDER)[number];
  readonly round: number;
}

/** Number of overlapping creations, and most orders that are set during them: a creation is sent after the journal was written. */
const CREATIONS = 4;
const MOST_ORDERS = 8;

/** Sets the order during another call on a policy: both must take effect. Undefined also where the order was refused. */
export async function orderDuringCall(t: TestContext, race: OrderRace): Evaluation {
  const violation = await findLost(t, race);
  if (violation === undefined) return undefined;
  const calls = [{ kind: 'set-order' }, { kind: race.kind }] as const;
  return (await findSequentially(t, 'policy', race.setup, calls)) ?? (await findInTurn(t, race)) ?? violation;
}

/** The same without the overlap. */
const findInTurn = async (t: TestContext, race: OrderRace): Evaluation =>
  race.kind === 'create' ? undefined : findLost(t, race, true);

/** `inTurn`: the order is set before the call, which must leave it as it is. */
async function findLost(t: TestContext, { setup, own, kind, round }: OrderRace, inTurn = false): Evaluation {
  await saveOrder(t);
  const policy = await setup.create();
  const ids = own.map(({ key }) => key);
  await requireOrder(t, ids);
  const set = orderSetter(t, ids, await orderEntries(t));
  if (kind === 'create') {
    const { items, orders, ...last } = await setDuringCreations(t, set, ids);
    return (await findOrderLost(t, { ...last, own: ids })) ?? findCreationLost(t, items, orders);
  }
  const call = await prepareCall(t, 'policy', policy, requestOf(kind));
  const isOrderFirst = inTurn || round % 4 < 2;
  const first = isOrderFirst ? set(round) : undefined;
  if (inTurn) await first;
  const sending = sendCall(t, call, round);
  const [order, done] = await Promise.all([first ?? set(round), sending]);
  if (t.isUnusable(done.exchange)) return undefined;
  return (
    (inTurn ? undefined : await findCallLost(t, setup, done, order.exchange)) ??
    findOrderLost(t, { set: order, during: done.exchange, done, own: ids, inTurn })
  );
}

type SetOrder = (turn: number) => Promise<SentOrder>;

/** Sets two orders alternately; the first one differs from the order in which the policies were created. */
function orderSetter(t: TestContext, own: readonly string[], entries: OrderEntries): SetOrder {
  const operation = operationOf(t, 'setOrder');
  return async (turn) => {
    const arrangement = turn % 2 === 0 ? ARRANGEMENTS.reversedAround : ARRANGEMENTS.first;
    const sent = arrange([...entries.keys()], own, arrangement);
    const request = { json: orderBody(sent, entries), label: 'set the order', form: formAt(operation, turn) };
    return { sent, exchange: await t.sendQuietly(operation, request) };
  };
}

interface DuringCreations extends Pick<LostOrder, 'set' | 'during'> {
  readonly items: readonly TrackedItem[];
  /** All orders that were set. */
  readonly orders: readonly Exchange[];
}

/**
 * Sets orders until the creations have ended or an order is not returned as set. Returns the last order, a creation that overlapped with
 * it, and all orders and created items.
 */
async function setDuringCreations(t: TestContext, set: SetOrder, own: readonly string[]): Promise<DuringCreations> {
  const work = { isRunning: true };
  const creations = Promise.all(Array.from({ length: CREATIONS }, () => createTracked(t, 'policy'))).finally(() => {
    work.isRunning = false;
  });
  const orders: Exchange[] = [];
  const setNext = async (turn: number): Promise<SentOrder> => {
    const sent = await set(turn);
    orders.push(sent.exchange);
    return sent;
  };
  const setInTurn = async (): Promise<SentOrder> => {
    let last = await setNext(0);
    for (let turn = 1; turn < MOST_ORDERS && work.isRunning; turn += 1) {
      const current = [...(await orderEntries(t)).keys()];
      if (ownSequence(current, own) !== ownSequence(last.sent, own)) break;
      last = await setNext(turn);
    }
    return last;
  };
  const [last, items] = await Promise.all([setInTurn(), creations]);
  const during = items.map(({ created }) => created);
  const together = during.find((each) => areTogether(each, last.exchange)) ?? during.at(-1);
  return { set: last, during: together, items, orders };
}

/** A policy that is not listed after it was created while the order was set. */
function findCreationLost(t: TestContext, items: readonly TrackedItem[], orders: readonly Exchange[]): Evaluation {
  const label = 'look for a created policy';
  return persists(t, async () => {
    const list = operationOf(t, 'policies');
    const looked = await Promise.all(
      items.map(async (item) => ({ item, lacking: await findLacking(t, item, list, { label }) })),
    );
    const { item, lacking } = looked.find((each) => each.lacking !== undefined) ?? {};
    if (item === undefined || lacking === undefined) return undefined;
    const { expected, received, exchanges } = lacking;
    const order = orders.find((each) => areTogether(each, item.created)) ?? orders.at(-1);
    return violationOf('overlap/lost-update', item.resource.create, {
      subject: 'create+set-order',
      expected,
      received,
      exchanges: [item.created, order, exchanges.at(-1)],
    });
  });
}

interface LostOrder {
  readonly set: SentOrder;
  /** The call during which the order was set. */
  readonly during: Exchange | undefined;
  /** The same call, where it is about an existing policy. */
  readonly done?: RecordedCall;
  readonly own: readonly string[];
  /** The order was set before the call. */
  readonly inTurn?: boolean;
}

async function findOrderLost(
  t: TestContext,
  { set: { sent, exchange }, during, done, own, inTurn = false }: LostOrder,
): Evaluation {
  if (!isServed(exchange)) return undefined;
  const caller = inTurn ? t.contract.operation(during?.operation ?? '') : undefined;
  const calls = during === undefined ? [] : [during];
  const kind = done?.request.kind ?? 'create';
  const deleted = kind === 'delete' && isSuccess(done?.exchange.response?.status ?? 0) ? done?.item.key : undefined;
  return checkOrder(t, {
    known: sent.filter((id) => id !== deleted),
    own: new Set(own),
    deleted,
    steps: caller === undefined ? [...calls, exchange] : [exchange, ...calls],
    otherwise:
      caller === undefined
        ? {
            code: 'overlap/lost-update',
            subject: `set-order+${kind}`,
            requirement: 'policies.processing-order',
            operation: operationOf(t, 'setOrder'),
          }
        : { code: 'processing-order/changed', operation: caller },
  });
}

function findCallLost(t: TestContext, { search }: Setup, done: RecordedCall, order: Exchange): Evaluation {
  const { item, request } = done;
  const subject = `${request.kind}+set-order`;
  return persists(t, async () => {
    const violation = await findUnexplained(t, { family: 'policy', subject, item, own: [done], all: [done], search });
    if (violation === undefined) return undefined;
    return { ...violation, exchanges: violation.exchanges.toSpliced(-1, 0, order) };
  });
}

import { isSuccess } from '../../../spec/index.ts';
import type { Exchange } from '../../../spec/index.ts';
import type { Kind } from '../../oracle/index.ts';
import type { Violation, TestContext } from '../../kit/context.ts';
import { saveOrder } from '../../../domain/builtin/processing-order.ts';
import { placed, PLACES } from '../sequences/arrangements.ts';
import { lookAtOrder, orderEntries } from '../sequences/ordering.ts';
import { persists } from '../sequences/patience.ts';
import type { Real } from '../sequences/real.ts';
import { makeSubject, newContent } from '../sequences/subject.ts';
import type { Subject } from '../sequences/subject.ts';
import { unexplained } from './contest.ts';
import { ready, record } from './history.ts';
import { among, needsOrder } from './orders.ts';
import type { Recorded } from './history.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';

/** What happens to a policy, or to the policies, while their order is set. */
export const BESIDE = ['create', 'activate', 'update', 'delete'] as const satisfies readonly (Kind | 'create')[];

export interface BesideOrder {
  readonly shared: Pick<Real, 'search' | 'make'>;
  readonly own: readonly Subject[];
  readonly kind: (typeof BESIDE)[number];
  readonly round: number;
}

/** Creations that are sent at once, and most orders beside them: a creation leaves only once the journal has it. */
const CREATIONS = 4;
const ORDERS = 8;

/** Sets the order while something else happens to a policy: both stay, whichever came first. Undefined also where the order was refused. */
export async function besideOrder(
  t: TestContext,
  { shared, own, kind, round }: BesideOrder,
): Promise<Violation | undefined> {
  await saveOrder(t);
  const victim = await shared.make();
  await needsOrder(
    t,
    own.map((each) => each.id),
  );
  const now = await orderEntries(t);
  const set = setter(
    t,
    own.map((each) => each.id),
    now,
  );
  if (kind === 'create')
    return orderKept(
      t,
      await besideCreations(
        t,
        set,
        own.map((each) => each.id),
      ),
      undefined,
      own,
    );
  const call = await ready(t, 'createPolicy', victim, kind === 'update' ? { kind, content: newContent() } : { kind });
  const first = round % 4 < 2 ? set(round) : undefined;
  const acting = record(t, call, round);
  const [ordered, done] = await Promise.all([first ?? set(round), acting]);
  if (t.hasViolation(done.exchange)) return undefined;
  return (await effectKept(t, shared, done, ordered.exchange)) ?? orderKept(t, ordered, done, own);
}

/** An order that was sent, and the answer. */
interface Ordered {
  readonly sent: readonly string[];
  readonly exchange: Exchange;
}

/** Sets one of two orders in turn. */
function setter(
  t: TestContext,
  ids: readonly string[],
  now: ReadonlyMap<string, { readonly id: string }>,
): (turn: number) => Promise<Ordered> {
  const operation = operationOf(t.session, 'setOrder');
  return async (turn) => {
    const sent = placed(
      ids,
      turn % 2 === 0 ? PLACES['in front of the others'] : PLACES['turned round, around the others'],
    )([...now.keys()]);
    const json = sent.map((id, order) => ({ ...now.get(id), id: now.get(id)?.id ?? id, order }));
    const form = operation.forms[turn % operation.forms.length];
    return {
      sent,
      exchange: await t.sendQuietly(operation, {
        json,
        label: 'set the order',
        ...(form === undefined ? {} : { form }),
      }),
    };
  };
}

/** Sets orders for as long as creations are under way, or until one is not read back; the last of them. */
async function besideCreations(
  t: TestContext,
  set: (turn: number) => Promise<Ordered>,
  own: readonly string[],
): Promise<Ordered> {
  const work = { under: true };
  const creations = Promise.all(Array.from({ length: CREATIONS }, () => makeSubject(t, 'createPolicy'))).finally(() => {
    work.under = false;
  });
  let last = await set(0);
  for (let turn = 1; turn < ORDERS && work.under; turn += 1) {
    if (among([...(await orderEntries(t)).keys()], own) !== among(last.sent, own)) break;
    last = await set(turn);
  }
  await creations;
  return last;
}

function orderKept(
  t: TestContext,
  { sent, exchange }: Ordered,
  done: Recorded | undefined,
  own: readonly Subject[],
): Promise<Violation | undefined> {
  if (!isSuccess(exchange.response?.status ?? 0)) return Promise.resolve(undefined);
  const kind = done?.request.kind ?? 'create';
  const gone = kind === 'delete' && isSuccess(done?.exchange.response?.status ?? 0) ? done?.subject.id : undefined;
  return lookAtOrder(t, {
    known: sent.filter((id) => id !== gone),
    own: new Set(own.map((each) => each.id)),
    ...(gone === undefined ? {} : { gone }),
    steps: [...(done === undefined ? [] : [done.exchange]), exchange],
    blame: {
      check: 'overlap',
      requirement: 'policies.processing-order',
      operation: operationOf(t.session, 'setOrder'),
      cause: `an order that is set beside ${kind} is lost`,
    },
  });
}

function effectKept(
  t: TestContext,
  { search }: BesideOrder['shared'],
  done: Recorded,
  ordered: Exchange,
): Promise<Violation | undefined> {
  const contest = { family: 'createPolicy', title: `${done.request.kind} while the order is set`, calls: [] } as const;
  return persists(t, async () => {
    const violation = await unexplained(t, { contest, subject: done.subject, own: [done], all: [done], search });
    const last = violation?.exchanges.at(-1);
    return violation === undefined || last === undefined
      ? violation
      : { ...violation, exchanges: [...violation.exchanges.slice(0, -1), ordered, last] };
  });
}

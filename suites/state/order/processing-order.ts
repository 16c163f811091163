import { operationOf } from '../../../domain/builtin/operations.ts';
import { currentOrder, readOrder, saveOrder, setUntilJudgeable } from '../../../domain/builtin/processing-order.ts';
import { settled, Skip } from '../../../domain/context.ts';
import { freshPolicy, moveAndWait } from '../../../domain/builtin/policies.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { idsOf } from '../../../domain/items.ts';
import { defined } from '../../../spec/defined.ts';
import { checkOf, isServed } from '../../../spec/index.ts';
import type { Exchange, FindingCode, Form, Json, Operation, Violation } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { persists } from '../../kit/polling.ts';
import { violationOf } from '../../kit/violation.ts';
import { orderDifference } from '../../oracle/index.ts';
import { excerpt } from './excerpt.ts';

/** An order that was set: ids in lower case. */
export interface SentOrder {
  readonly sent: readonly string[];
  readonly exchange: Exchange;
}

/** Entries of the processing order, by lower-case id. */
export type OrderEntries = ReadonlyMap<string, { readonly id: string }>;

export async function orderEntries(t: TestContext): Promise<OrderEntries> {
  return new Map((await currentOrder(t)).map((each) => [each.id.toLowerCase(), each]));
}

/** The body that sets an order of these ids. */
export function orderBody(ids: readonly string[], entries: OrderEntries): Json {
  return ids.map((id, order) => ({ ...entries.get(id), id: entries.get(id)?.id ?? id, order }));
}

/** Another way to write the body of an order. */
export interface Written {
  readonly as: string;
  readonly type: string;
  readonly write: (order: Json) => string;
}

/**
 * Sets the whole order, as it is now but rearranged, also with these policies where it does not show them. Throws {@link Skip} after
 * a refusal. `written`: another way to write the body, which may be refused.
 */
export async function putOrder(
  t: TestContext,
  form: Form | undefined,
  rearrange: (ids: readonly string[]) => readonly string[],
  also: readonly CreatedItem[] = [],
  written?: Written,
): Promise<SentOrder> {
  await saveOrder(t);
  const added = also.map(({ id, name }) => [id.toLowerCase(), { id, name }] as const);
  let sent: readonly string[] = [];
  const exchange = await setUntilJudgeable(t, operationOf(t, 'setOrder'), async () => {
    const before = await orderEntries(t);
    const all = new Map([...added, ...before]);
    sent = rearrange([...all.keys()]);
    const expect = all.size === before.size && written === undefined ? 'success' : 'any';
    const json = orderBody(sent, all);
    const request = {
      ...(written === undefined ? { json } : { body: { type: written.type, content: written.write(json) } }),
      label: `set the processing order${written === undefined ? '' : ` as ${written.as}`}`,
      expect,
    } as const;
    return { ...request, ...(form === undefined ? {} : { form }) };
  });
  if (!isServed(exchange)) throw new Skip('the order was refused');
  return { sent, exchange };
}

/** What was found out about the order where no calls overlap. */
interface Reliability {
  isLost: boolean;
  isMoved: boolean;
}

/** What the tests without overlapping calls have found out so far. */
export const reliability = (t: TestContext): Promise<Reliability> =>
  t.once('reliability of the processing order', async () => ({ isLost: false, isMoved: false }));

/** Runs a scenario in which the order is set and read; false where it does not hold. */
export async function isReturnedAsSet(t: TestContext, scenario: () => Promise<boolean>): Promise<boolean> {
  const holds = await scenario();
  if (!holds) (await reliability(t)).isLost = true;
  return holds;
}

/** Where the order is wrong without overlapping calls, nothing can be concluded from it about those that overlap. */
export async function skipIfUnreliable(t: TestContext): Promise<void> {
  const { isLost, isMoved } = await reliability(t);
  if (isLost)
    t.skip('the processing order is not returned as it was set: see the findings of the check processing-order');
  if (isMoved)
    t.skip('a change of a policy changes the processing order: see the findings of the check processing-order');
}

const STEADY_READS = 3;

/** The order as it is shown now. Skips the test where it is not returned as it was set and differs from read to read. */
export async function shownOrder(t: TestContext, form: Form): Promise<SentOrder> {
  const exchange = await readOrder(t, form);
  const sent = idsOf(exchange.response?.json) ?? t.skip('the processing order cannot be read');
  for (let count = 1; count < STEADY_READS && (await reliability(t)).isLost; count += 1) {
    const again = idsOf((await readOrder(t, form)).response?.json);
    if (again?.join(' ') !== sent.join(' ')) t.skip('the processing order differs from read to read');
  }
  return { sent, exchange };
}

/** The order that a change must keep: as it was set or, where that is known not to be returned, as it is shown; or the violation. */
export async function orderToKeep(
  t: TestContext,
  form: Form,
  own: ReadonlySet<string>,
  { sent, exchange }: SentOrder,
): Promise<ExpectedOrder | Violation> {
  const expected = { known: sent, own, form, steps: [exchange], otherwise: notAsSet(t) };
  if (!(await reliability(t)).isLost) return (await checkOrder(t, expected)) ?? expected;
  const shown = await shownOrder(t, form);
  return { ...expected, known: shown.sent, isPartial: true, steps: [exchange, shown.exchange] };
}

/** Whether only active policies are in the order, which the document does not state; found out once per run. */
function holdsActiveOnly(t: TestContext): Promise<boolean> {
  return t.once('the order holds active policies only', async () => {
    const { id } = await freshPolicy(t, 'inorder');
    const isHeld = (): Promise<boolean> => settled(t, async () => (await orderEntries(t)).has(id.toLowerCase()));
    await moveAndWait(t, 'deactivate', { path: { id }, label: 'deactivate' });
    if (await isHeld()) return false;
    await moveAndWait(t, 'activate', { path: { id }, label: 'activate' });
    return isHeld();
  });
}

/** Waits until the order holds these ids, after activating them where it holds active policies only; they may stay missing. */
export async function awaitInOrder(t: TestContext, ids: readonly string[]): Promise<void> {
  if (await holdsActiveOnly(t))
    await Promise.all(ids.map((id) => t.sendQuietly(operationOf(t, 'activate'), { path: { id }, label: 'activate' })));
  await settled(t, async () => {
    const entries = await orderEntries(t);
    return ids.every((id) => entries.has(id));
  });
}

/** What the order is expected to be, and the violation where it is not. */
export interface ExpectedOrder {
  /** Ids that must be in it, in this order; those of others may have been deleted by them. */
  readonly known: readonly string[];
  /** Ids of this run: they must not be missing. */
  readonly own: ReadonlySet<string>;
  /** Id of a deleted policy: it must be missing. */
  readonly deleted?: string | undefined;
  readonly form?: Form | undefined;
  readonly steps: readonly Exchange[];
  /** Set where not all policies may be shown: only their order is compared. */
  readonly isPartial?: boolean;
  readonly otherwise: OrderViolation;
  readonly forMs?: number;
}

export interface OrderViolation {
  readonly code: FindingCode;
  readonly subject?: string;
  readonly operation: Operation;
  readonly requirement?: string | undefined;
}

/** The violation where an order is not returned as it was set; `subject`: how the order was written, where it was in another way. */
export function notAsSet(t: TestContext, subject?: string): OrderViolation {
  return {
    code: 'processing-order/not-as-set',
    ...defined({ subject }),
    requirement: 'policies.processing-order',
    operation: operationOf(t, 'setOrder'),
  };
}

/** Reads the order until it is as expected; what still differs after the settle time is a violation. */
export async function checkOrder(t: TestContext, given: ExpectedOrder): Evaluation {
  // Deactivated policies leave an order of active policies.
  const expected = (await holdsActiveOnly(t)) ? { ...given, own: new Set<string>() } : given;
  const operation = operationOf(t, 'order');
  const evaluate = async (): Evaluation => {
    const exchange = await readOrder(t, expected.form);
    const seen = idsOf(exchange.response?.json);
    return seen === undefined ? undefined : compareOrder(operation, expected, seen, exchange);
  };
  return persists(t, evaluate, expected.forMs);
}

/** More specific codes for the processing order where no calls overlap. */
const BY_DIFFERENCE = { missing: 'processing-order/lacks-policy', repeated: 'processing-order/extra-policy' } as const;

function compareOrder(
  operation: Operation,
  { known, own, deleted, steps, isPartial = false, otherwise }: ExpectedOrder,
  seen: readonly string[],
  exchange: Exchange,
): Violation | undefined {
  const exchanges = [...steps, exchange];
  if (deleted !== undefined && seen.includes(deleted))
    return violationOf('deleted-is-gone/in-processing-order', operation, {
      requirement: 'policies.delete-removes',
      expected: `${deleted} is not in the processing order`,
      received: 'it is in the processing order',
      exchanges,
    });
  const present = new Set(seen);
  const expected = known.filter((id) => (own.has(id) && !isPartial) || present.has(id));
  const difference = orderDifference(expected, seen);
  if (difference === undefined) return undefined;
  const isSpecific = difference !== 'moved' && checkOf(otherwise.code) === 'processing-order';
  const received = seen.filter((id) => expected.includes(id));
  return violationOf(isSpecific ? BY_DIFFERENCE[difference] : otherwise.code, otherwise.operation, {
    subject: otherwise.subject,
    requirement: otherwise.requirement,
    expected: `in this order: ${excerpt(expected, received)} (api.md section 3)`,
    received: excerpt(received, expected),
    exchanges,
  });
}

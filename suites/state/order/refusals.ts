import { operationOf } from '../../../domain/builtin/operations.ts';
import { currentOrder, saveOrder } from '../../../domain/builtin/processing-order.ts';
import type { Exchange, Form } from '../../../spec/index.ts';
import type { Evaluation, TestContext } from '../../kit/context.ts';
import { refusedIdentities } from '../define.ts';
import type { Refused } from '../define.ts';
import { checkOrder, shownOrder } from './processing-order.ts';

type Entry = { readonly id: string };

/** An order that is, or may be, refused. */
export interface OrderRefusal {
  readonly label: string;
  /** Set where it is refused for its token: sent with each of these. */
  readonly identities?: readonly Refused[];
  readonly change: (entries: readonly Entry[], own: readonly string[]) => readonly Entry[];
}

const UNKNOWN_POLICY = { id: '7e57ab1e-0000-4000-8000-000000000000' };

/** The own policies in reverse order before those of others, which keep their order, should this one be accepted. */
function reversed(entries: readonly Entry[], own: readonly string[]): readonly Entry[] {
  const isOwn = ({ id }: Entry): boolean => own.includes(id.toLowerCase());
  return [...entries.filter(isOwn).toReversed(), ...entries.filter((each) => !isOwn(each))];
}

export const ORDER_REFUSALS: readonly OrderRefusal[] = [
  { label: 'without the permission', identities: ['limited'], change: reversed },
  { label: 'without a valid token', identities: ['none', 'invalid', 'expired'], change: reversed },
  { label: 'with an unknown policy', change: (entries, own) => [...reversed(entries, own), UNKNOWN_POLICY] },
  {
    label: 'with a policy twice',
    change: (entries, own) => [...reversed(entries, own), ...entries.filter(({ id }) => id.toLowerCase() === own[0])],
  },
];

interface RefusedOrder {
  readonly form: Form;
  readonly ids: readonly string[];
  readonly refusal: OrderRefusal;
  /** Gets the requirement that a refusal tests: whether the order is refused at all is not documented for each. */
  readonly tested: Set<string>;
}

/** Sends an order that is refused; undefined also where it is accepted. */
export async function refusalChangesNothing(
  t: TestContext,
  { form, ids, refusal: { label, identities, change }, tested }: RefusedOrder,
): Evaluation {
  const callers =
    identities === undefined ? [{}] : refusedIdentities(t.session, identities).map((identity) => ({ identity }));
  if (callers.length === 0) return undefined;
  await saveOrder(t);
  const { exchange: before } = await shownOrder(t, form);
  const known = await currentOrder(t, before);
  const json = change(known, ids).map((each, order) => ({ ...each, order }));
  const operation = operationOf(t, 'setOrder');
  const refused: Exchange[] = [];
  for (const caller of callers)
    refused.push(await t.send(operation, { form, json, label: `set an order ${label}`, ...caller }));
  if (!refused.every(({ response }) => response !== undefined && response.status >= 400 && response.status < 500))
    return undefined;
  const requirement = identities === undefined ? 'errors.refused-changes-nothing' : 'auth.refused-changes-nothing';
  tested.add(requirement);
  return checkOrder(t, {
    known: known.map((each) => each.id.toLowerCase()),
    own: new Set(ids),
    form,
    steps: [before, ...refused],
    otherwise: { code: 'refused-changes-nothing/changed-data', requirement, operation },
  });
}

import { isFields } from '../../model/shape.ts';
import type { Call, Wrap } from '../../http/call.ts';
import { state } from '../fault.ts';
import * as op from '../operations.ts';
import { afterSuccess, before, body } from '../parts.ts';

const WHOLE = 'The processing order is set as a whole and read back as it was set.';
const KEPT = 'Only setprocessingorder changes the order of the policies that remain.';
const REFUSED = 'An order that is refused changes nothing.';

type Rearrange = (ids: readonly string[]) => readonly string[];

/** Rearranges the order after a success. */
function then(rearrange: Rearrange): Wrap {
  return afterSuccess((answer, call) => {
    const { policies } = call.world;
    policies.setOrder(rearrange(policies.order()));
    return answer;
  });
}

const swapEnds: Rearrange = (ids) =>
  ids.length < 2 ? ids : [...ids.slice(-1), ...ids.slice(1, -1), ...ids.slice(0, 1)];
const swapLast: Rearrange = (ids) =>
  ids.length < 2 ? ids : [...ids.slice(0, -2), ...ids.slice(-1), ...ids.slice(-2, -1)];

function sent(change: (entries: readonly unknown[], call: Call) => readonly unknown[]): Wrap {
  return before((call) => {
    if (Array.isArray(call.body)) call.body = change(call.body, call);
  });
}

const idOf = (entry: unknown) => (isFields(entry) ? String(entry['id']).toLowerCase() : '');

export const orderFaults = {
  'order-not-stored': state('Setting the order does nothing', WHOLE, [op.SET_ORDER], () => ({
    inner: () => ({ status: 200 }),
  })),
  'order-reversed': state('The order is stored in reverse', WHOLE, [op.SET_ORDER], () => ({
    inner: sent((entries) => entries.toReversed()),
  })),
  'order-swaps-last': state('The last two policies of an order are swapped', WHOLE, [op.SET_ORDER], () => ({
    inner: then(swapLast),
  })),
  'order-merged': state('An order is merged: the first half of the old one stays', WHOLE, [op.SET_ORDER], () => ({
    inner: async (call, next) => {
      const { policies } = call.world;
      const kept = policies.order().slice(0, Math.floor(policies.size / 2));
      const answer = await next(call);
      if (answer.status === 200)
        policies.setOrder([...kept, ...policies.order().filter((other) => !kept.includes(other))]);
      return answer;
    },
  })),
  'order-by-name': state('The order is stored by name', WHOLE, [op.SET_ORDER], () => ({
    inner: sent((entries, call) => entries.toSorted((a, b) => nameOf(call, a).localeCompare(nameOf(call, b)))),
  })),
  'order-first-moves-only': state('Only the first entry of an order is heeded', WHOLE, [op.SET_ORDER], () => ({
    inner: sent((entries) => entries.slice(0, 1)),
  })),
  'order-read-reversed': state(
    'The order is read in reverse',
    WHOLE,
    [op.ORDER, op.SET_ORDER],
    () => ({ inner: body((value) => (Array.isArray(value) ? value.toReversed() : value)) }),
    [op.ORDER],
  ),
  'order-read-incomplete': state(
    'The order lacks its last policy',
    WHOLE,
    [op.ORDER, op.SET_ORDER],
    () => ({ inner: body((value) => (Array.isArray(value) ? value.slice(0, -1) : value)) }),
    [op.ORDER],
  ),
  'order-forgets-policies': state('The order holds active policies only', WHOLE, [op.ORDER], () => ({
    inner: body((value, call) =>
      Array.isArray(value) ? value.filter((entry) => call.world.policies.get(idOf(entry))?.isActive === true) : value,
    ),
  })),
  'order-refused-but-stored': state(
    'An order with an unknown policy is refused, the rest of it stored',
    REFUSED,
    [op.SET_ORDER],
    () => ({
      inner: async (call, next) => {
        const answer = await next(call);
        if (answer.status < 400 || !Array.isArray(call.body)) return answer;
        await next({ ...call, body: call.body.filter((entry) => call.world.policies.has(idOf(entry))) });
        return answer;
      },
    }),
  ),
  'order-limited-stored': state(
    'An order of a token without the permission is stored',
    REFUSED,
    [op.SET_ORDER],
    (tokens) => ({
      outer: async (call, next) => {
        const answer = await next(call);
        if (answer.status === 403) await next({ ...call, authorization: `Bearer ${tokens.full}` });
        return answer;
      },
    }),
  ),
  'activate-changes-order': state('Activation moves a policy to another place', KEPT, [op.ACTIVATE], () => ({
    inner: then(swapLast),
  })),
  'deactivate-changes-order': state('Deactivation swaps the first and the last policy', KEPT, [op.DEACTIVATE], () => ({
    inner: then(swapEnds),
  })),
  'update-changes-order': state('An update swaps the last two policies', KEPT, [op.UPDATE_POLICY], () => ({
    inner: then(swapLast),
  })),
  'delete-shuffles-order': state('Deleting a policy turns the order of the rest', KEPT, [op.DELETE_POLICY], () => ({
    inner: then((ids) => ids.toReversed()),
  })),
  'create-shuffles-order': state('Creating a policy turns the order of the others', KEPT, [op.CREATE_POLICY], () => ({
    inner: then((ids) => ids.toReversed()),
  })),
} as const;

function nameOf(call: Call, entry: unknown): string {
  return call.world.policies.get(idOf(entry))?.name ?? '';
}

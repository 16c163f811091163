import type { Fields } from '../../model/shape.ts';
import type { Call, Wrap } from '../../http/call.ts';
import { state } from '../fault.ts';
import type { Defect } from '../fault.ts';
import * as op from '../operations.ts';
import { afterSuccess, id, items, refused } from '../parts.ts';

const ACTIVATES = 'Activation makes a policy active.';
const DEACTIVATES = 'Deactivation makes a policy inactive.';
const ONLY = 'Only activation and deactivation change whether a policy is active.';

/** Does something after a success. */
function then(effect: (call: Call) => void): Wrap {
  return afterSuccess((answer, call) => {
    effect(call);
    return answer;
  });
}

/** The last other policy that is active, or that is not. */
function neighbour(call: Call, isActive: boolean): string {
  return call.world.policies.list().findLast((other) => other.id !== id(call) && other.isActive === isActive)?.id ?? '';
}

/** Activation shows in the form that it was made through only. */
function seenInOneForm(): Defect {
  const activated = new Map<unknown, string>();
  const shown = (call: Call, item: Fields) => (activated.get(item['id']) ?? call.form) === call.form;
  return {
    inner: async (call, next) => {
      const filter = call.query.text('filterActive');
      if (call.operation?.id === op.ACTIVATE) activated.set(id(call), call.form);
      if (call.operation?.id === op.DEACTIVATE) activated.delete(id(call));
      const answer = await next(call);
      if (call.operation?.id !== op.POLICIES || filter !== 'true' || !Array.isArray(answer.body)) return answer;
      return { ...answer, body: answer.body.filter((item: Fields) => shown(call, item)) };
    },
  };
}

export const activationFaults = {
  'activate-does-nothing': state('Activation does nothing', ACTIVATES, [op.ACTIVATE], () => ({
    inner: () => ({ status: 200 }),
  })),
  'deactivate-does-nothing': state('Deactivation does nothing', DEACTIVATES, [op.DEACTIVATE], () => ({
    inner: () => ({ status: 200 }),
  })),
  'activate-toggles': state('Activating an active policy makes it inactive', ACTIVATES, [op.ACTIVATE], () => ({
    inner: (call, next) => {
      if (call.world.policies.get(id(call))?.isActive !== true) return next(call);
      call.world.policies.merge(id(call), { isActive: false });
      return { status: 200 };
    },
  })),
  'activate-deactivates-another': state('Activation makes another active policy inactive', ONLY, [op.ACTIVATE], () => ({
    inner: then((call) => call.world.policies.merge(neighbour(call, true), { isActive: false })),
  })),
  'activate-activates-another': state('Activation makes the last other policy active too', ONLY, [op.ACTIVATE], () => ({
    inner: then((call) => call.world.policies.merge(neighbour(call, false), { isActive: true })),
  })),
  'deactivate-all': state('Deactivation makes all policies inactive', ONLY, [op.DEACTIVATE], () => ({
    inner: then((call) =>
      call.world.policies.order().forEach((other) => call.world.policies.merge(other, { isActive: false })),
    ),
  })),
  'activate-in-one-form': state(
    'Activation shows in the form that made it only',
    ACTIVATES,
    [op.ACTIVATE, op.POLICIES],
    seenInOneForm,
    [op.ACTIVATE, op.DEACTIVATE, op.POLICIES],
  ),
  'activate-loses-name': state(
    'Activation loses the description',
    'Activation changes nothing but the state.',
    [op.ACTIVATE],
    () => ({ inner: then((call) => call.world.policies.merge(id(call), { description: null })) }),
  ),
  'activate-twice-500': state('Activating an active policy makes the service fail', ACTIVATES, [op.ACTIVATE], () => ({
    inner: (call, next) => (call.world.policies.get(id(call))?.isActive === true ? refused(500) : next(call)),
  })),
  'update-deactivates': state('An update makes a policy inactive', ONLY, [op.UPDATE_POLICY], () => ({
    inner: then((call) => call.world.policies.merge(id(call), { isActive: false })),
  })),
  'order-deactivates': state('Setting the order makes the last active policy inactive', ONLY, [op.SET_ORDER], () => ({
    inner: then((call) => call.world.policies.merge(neighbour(call, true), { isActive: false })),
  })),
  'state-only-in-list': state('A policy that was activated reads as inactive', ACTIVATES, [op.READ_POLICY], () => ({
    inner: items((item) => ({ ...item, isActive: false })),
  })),
  'limited-activates': state(
    'A refused activation is made',
    'A request that is refused changes nothing.',
    [op.ACTIVATE],
    () => ({
      outer: async (call, next) => {
        const answer = await next(call);
        if (answer.status === 403) call.world.policies.merge(id(call), { isActive: true });
        return answer;
      },
    }),
  ),
} as const;

import type { Answer } from '../http/answer.ts';
import type { Call, Handler, Wrap } from '../http/call.ts';
import { isFields } from '../model/shape.ts';
import type { Fields } from '../model/shape.ts';
import { fields, id, overlap, pause, published } from './fault.ts';
import type { Defect } from './fault.ts';
import * as op from './operations.ts';

const LOST = 'A change that was answered with 200 is not lost, whatever else goes on.';
const WHOLE = 'The processing order is set as a whole.';
const IDS = 'Every policy has an id of its own.';

/** Serves a call, waits, and writes back what it read before. */
function writingStale(read: (call: Call) => (() => void) | undefined): Wrap {
  return async (call, next) => {
    const writeBack = read(call);
    await pause();
    writeBack?.();
    return next(call);
  };
}

/** An update reads the policy, works a while and writes the whole policy. */
const lostUpdate = writingStale((call) => {
  const before = call.world.policies.get(id(call));
  return before === undefined ? undefined : () => call.world.policies.merge(id(call), { isActive: before.isActive });
});

/** An activation writes back the members as they were when it began. */
const lostByActivation = writingStale((call) => {
  const before = call.world.policies.get(id(call));
  if (before === undefined) return undefined;
  return () =>
    call.world.policies.merge(id(call), { name: before.name, description: before.description, rules: before.rules });
});

/** An order is written back as it was when the creation began, with the new policy. */
const lostCreation: Wrap = async (call, next) => {
  const { policies } = call.world;
  const before = policies.order();
  const known = new Set(before);
  await pause();
  const meanwhile = policies.order().filter((other) => !known.has(other));
  const answer = await next(call);
  if (answer.status === 200) for (const lost of meanwhile) policies.delete(lost);
  return answer;
};

/** Takes every second entry of an order before a pause, the others after it. */
const mergedOrder: Wrap = async (call, next) => {
  const { policies } = call.world;
  if (!Array.isArray(call.body)) return next(call);
  const before = policies.order();
  await pause();
  const meanwhile = policies.order();
  const answer = await next(call);
  const changed = meanwhile.some((other, index) => other !== before[index]);
  if (answer.status === 200 && changed) policies.setOrder(interleaved(meanwhile, policies.order()));
  return answer;
};

function interleaved(first: readonly string[], second: readonly string[]): readonly string[] {
  const half = first.slice(0, Math.ceil(first.length / 2));
  return [...half, ...second.filter((other) => !half.includes(other))];
}

/** Creations that overlap get one id. */
function sameIds(): Defect {
  let open = 0;
  let last: unknown;
  return {
    inner: async (call, next) => {
      const overlaps = open++ > 0;
      await pause();
      const answer = await next(call);
      open--;
      if (answer.status === 200 && overlaps && last !== undefined) return { ...answer, body: last };
      last = answer.body;
      return answer;
    },
  };
}

/** Creations that overlap are made twice. */
function doubled(): Defect {
  let open = 0;
  return {
    inner: async (call, next) => {
      const overlaps = open++ > 0;
      await pause();
      if (overlaps) call.world.policies.create(call.world.random.uuid(), fields(call), call.identity?.userId ?? '');
      const answer = await next(call);
      open--;
      return answer;
    },
  };
}

/** While one activation works, others are answered but not made. */
function busy(): Defect {
  let open = 0;
  return {
    inner: async (call, next) => {
      if (open > 0) return { status: 200 };
      open++;
      await pause();
      const answer = await next(call);
      open--;
      return answer;
    },
  };
}

/** A deletion is undone by an update of the same policy that overlaps with it. */
const resurrected: Wrap = async (call, next) => {
  const before = call.world.policies.get(id(call));
  await pause();
  const { policies } = call.world;
  if (before !== undefined && !policies.has(before.id)) policies.create(before.id, before, before.createdBy);
  return next(call);
};

/** Each form keeps the list that it read first after its own last change. */
function staleForms(): Defect {
  const cache = new Map<string, Map<unknown, Fields>>();
  return {
    inner: async (call, next) => {
      const answer = await next(call);
      const known = cache.get(call.form) ?? new Map<unknown, Fields>();
      cache.set(call.form, known);
      if (call.operation?.id !== op.READ_POLICY) {
        known.delete(id(call));
        return answer;
      }
      if (answer.status !== 200 || !isFields(answer.body)) return answer;
      const policyId: unknown = answer.body['id'];
      const stale = known.get(policyId);
      if (stale !== undefined) return { ...answer, body: stale };
      known.set(policyId, answer.body);
      return answer;
    },
  };
}

/** The name is written at once, the rest later: by the first of two last. */
function torn(): Defect {
  let open = 0;
  return {
    inner: async (call, next) => {
      const name: unknown = fields(call)['name'];
      const policyId = id(call);
      if (!call.world.policies.has(policyId) || typeof name !== 'string') return next(call);
      call.world.policies.merge(policyId, { name });
      await pause(open++ > 0 ? 5 : 20);
      open--;
      const meanwhile = call.world.policies.get(policyId)?.name ?? name;
      call.body = { ...fields(call), name: meanwhile };
      return next(call);
    },
  };
}

/** Calls of one kind are answered and not made while a call of the other kind is under way. */
function yielding(lost: string, other: string): () => Defect {
  return () => {
    const open = { lost: 0, other: 0 };
    return {
      inner: async (call, next) => {
        const side = call.operation?.id === lost ? 'lost' : call.operation?.id === other ? 'other' : undefined;
        if (side === undefined) return next(call);
        open[side]++;
        let busy = open.other > 0;
        await pause();
        busy ||= open.other > 0;
        try {
          return side === 'lost' && busy ? { status: 200 } : await next(call);
        } finally {
          open[side]--;
        }
      },
    };
  };
}

/** Approvals that overlap write back the results as they were when they began. */
async function approving(call: Call, next: Handler): Promise<Answer> {
  const before = call.world.jobs.history(id(call)).results;
  await pause();
  call.world.jobs.setHistory(id(call), { ...call.world.jobs.history(id(call)), results: before });
  return next(call);
}

/** Defects of calls that overlap. */
export const OVERLAP_FAULTS = {
  'lost-activation-by-update': overlap(
    'An update writes back the state that it read',
    LOST,
    [op.UPDATE_POLICY],
    () => ({ inner: lostUpdate }),
  ),
  'lost-update-by-activation': overlap(
    'An activation writes back the policy that it read',
    LOST,
    [op.UPDATE_POLICY, op.ACTIVATE, op.DEACTIVATE],
    () => ({ inner: lostByActivation }),
    [op.ACTIVATE, op.DEACTIVATE],
  ),
  'lost-creation': overlap(
    'A creation writes the list that it read, so that one that overlaps is lost',
    LOST,
    [op.CREATE_POLICY],
    () => ({ inner: lostCreation }),
  ),
  'order-of-two': overlap('Two orders that overlap are merged', WHOLE, [op.SET_ORDER], () => ({ inner: mergedOrder })),
  'same-id-twice': overlap('Creations that overlap are answered with one id', IDS, [op.CREATE_POLICY], sameIds),
  'created-twice': overlap(
    'A creation that overlaps with another is made twice',
    'A creation makes one policy.',
    [op.CREATE_POLICY],
    doubled,
  ),
  'activation-lost-when-busy': overlap('Of activations that overlap only the first is made', LOST, [op.ACTIVATE], busy),
  'deletion-lost-when-busy': overlap(
    'Of deletions that overlap only the first is made',
    LOST,
    [op.DELETE_POLICY],
    busy,
  ),
  'deletion-undone': overlap(
    'An update that overlaps with a deletion brings the policy back',
    'What was deleted is no longer there.',
    [op.UPDATE_POLICY, op.DELETE_POLICY],
    () => ({ inner: resurrected }),
    [op.UPDATE_POLICY],
  ),
  'stale-forms': overlap(
    'Each form reads a policy from a cache that the other form does not refresh',
    'What one form writes is seen through the other.',
    [op.READ_POLICY],
    staleForms,
    [op.READ_POLICY, op.UPDATE_POLICY, op.ACTIVATE, op.DEACTIVATE, op.DELETE_POLICY],
  ),
  'torn-update': overlap(
    'Of updates that overlap one gives the name, the other the rest',
    'An update replaces the policy as a whole.',
    [op.UPDATE_POLICY],
    torn,
  ),

  'order-lost-to-creation': overlap(
    'An order that overlaps with a creation is lost',
    'The processing order is set as a whole.',
    [op.SET_ORDER],
    yielding(op.SET_ORDER, op.CREATE_POLICY),
    [op.SET_ORDER, op.CREATE_POLICY],
  ),
  'deletion-lost-to-order': overlap(
    'A deletion that overlaps with an order is lost',
    LOST,
    [op.DELETE_POLICY],
    yielding(op.DELETE_POLICY, op.SET_ORDER),
    [op.SET_ORDER, op.DELETE_POLICY],
  ),
  'approval-lost-to-approval': published(
    'Of approvals of one job that overlap one is lost',
    LOST,
    [op.APPROVE],
    () => ({ inner: approving }),
  ),
} as const;

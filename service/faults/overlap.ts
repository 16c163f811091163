import type { Answer } from '../http/answer.ts';
import type { Call, Handler, Wrap } from '../http/call.ts';
import { isFields } from '../model/shape.ts';
import type { Fields } from '../model/shape.ts';
import { fields, id, overlap, pause, published } from './fault.ts';
import type { Defect } from './fault.ts';
import * as op from './operations.ts';

const LOST = 'A change that was answered with 200 is not lost to other calls.';

/** Reads, waits, writes the old values back, and then serves the call. */
function writingStale(read: (call: Call) => (() => void) | undefined): Wrap {
  return async (call, next) => {
    const writeBack = read(call);
    await pause();
    writeBack?.();
    return next(call);
  };
}

/** An update writes back the state as it was when the update began. */
const lostUpdate = writingStale((call) => {
  const before = call.world.policies.get(id(call));
  return before === undefined ? undefined : () => call.world.policies.merge(id(call), { isActive: before.isActive });
});

/** An activation writes back the content as it was when the activation began. */
const lostByActivation = writingStale((call) => {
  const before = call.world.policies.get(id(call));
  if (before === undefined) return undefined;
  return () =>
    call.world.policies.merge(id(call), { name: before.name, description: before.description, rules: before.rules });
});

/** While one call runs, others are answered with 200 but not executed. */
function onlyFirst(): Defect {
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

/** An update restores a policy that was deleted meanwhile. */
const restoredByUpdate: Wrap = async (call, next) => {
  const before = call.world.policies.get(id(call));
  await pause();
  const { policies } = call.world;
  if (before !== undefined && !policies.has(before.id)) policies.create(before.id, before, before.createdBy);
  return next(call);
};

/** Each form caches a policy from its first read until its own next change. */
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

/** An update writes the name at once and the rest later, so that two overlapping updates mix. */
function mixedUpdates(): Defect {
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

/** Calls of one operation are answered with 200 but not executed while a call of the other operation runs. */
function droppedDuring(lost: string, other: string): () => Defect {
  return () => {
    const open = { lost: 0, other: 0 };
    return {
      inner: async (call, next) => {
        const side = call.operation?.id === lost ? 'lost' : call.operation?.id === other ? 'other' : undefined;
        if (side === undefined) return next(call);
        open[side]++;
        let isBusy = open.other > 0;
        await pause();
        isBusy ||= open.other > 0;
        try {
          return side === 'lost' && isBusy ? { status: 200 } : await next(call);
        } finally {
          open[side]--;
        }
      },
    };
  };
}

/** An approval writes back the results as they were when it began. */
async function staleApproval(call: Call, next: Handler): Promise<Answer> {
  const before = call.world.jobs.history(id(call)).results;
  await pause();
  call.world.jobs.setHistory(id(call), { ...call.world.jobs.history(id(call)), results: before });
  return next(call);
}

/** Defects of overlapping calls. */
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
  'activation-lost-when-busy': overlap(
    'Only the first of overlapping activations is executed',
    LOST,
    [op.ACTIVATE],
    onlyFirst,
  ),
  'deletion-lost-when-busy': overlap(
    'Only the first of overlapping deletions is executed',
    LOST,
    [op.DELETE_POLICY],
    onlyFirst,
  ),
  'deletion-undone': overlap(
    'An update that overlaps with a deletion restores the policy',
    'A deleted policy no longer exists.',
    [op.UPDATE_POLICY, op.DELETE_POLICY],
    () => ({ inner: restoredByUpdate }),
    [op.UPDATE_POLICY],
  ),
  'stale-forms': overlap(
    'Each form reads a policy from a cache that the other form does not refresh',
    'A change through one form is visible through the other.',
    [op.READ_POLICY],
    staleForms,
    [op.READ_POLICY, op.UPDATE_POLICY, op.ACTIVATE, op.DEACTIVATE, op.DELETE_POLICY],
  ),
  'torn-update': overlap(
    'Overlapping updates mix: one sets the name, the other the rest',
    'An update replaces the policy as a whole.',
    [op.UPDATE_POLICY],
    mixedUpdates,
  ),

  'order-lost-to-creation': overlap(
    'An order that overlaps with a creation is lost',
    'The processing order is set as a whole.',
    [op.SET_ORDER],
    droppedDuring(op.SET_ORDER, op.CREATE_POLICY),
    [op.SET_ORDER, op.CREATE_POLICY],
  ),
  'deletion-lost-to-order': overlap(
    'A deletion that overlaps with an order is lost',
    LOST,
    [op.DELETE_POLICY],
    droppedDuring(op.DELETE_POLICY, op.SET_ORDER),
    [op.SET_ORDER, op.DELETE_POLICY],
  ),
  'approval-lost-to-approval': published(
    'One of two overlapping approvals of a job is lost',
    LOST,
    [op.APPROVE],
    () => ({ inner: staleApproval }),
  ),
} as const;

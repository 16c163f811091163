import type { Answer } from '../http/answer.ts';
import type { Call, Handler, Wrap } from '../http/call.ts';
import { id, overlap, pause, published } from './fault.ts';
import * as op from './operations.ts';

const LOST = 'A change that was answered with 200 is not lost to other calls.';

/** An activation writes back the content as it was when the activation began. */
const lostByActivation: Wrap = async (call, next) => {
  const before = call.world.policies.get(id(call));
  await pause();
  if (before !== undefined)
    call.world.policies.merge(id(call), { name: before.name, description: before.description, rules: before.rules });
  return next(call);
};

/** Calls of one operation are answered with 200 but not executed while a call of the other operation runs. */
function droppedDuring(lost: string, other: string): () => Wrap {
  return () => {
    const open = { lost: 0, other: 0 };
    return async (call, next) => {
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
  'lost-update-by-activation': overlap('An activation writes back the policy that it read', LOST, [
    op.UPDATE_POLICY,
    op.ACTIVATE,
    op.DEACTIVATE,
  ]).inner(() => lostByActivation, [op.ACTIVATE, op.DEACTIVATE]),

  'order-lost-to-creation': overlap(
    'An order that overlaps with a creation is lost',
    'The processing order is set as a whole.',
    [op.SET_ORDER],
  ).inner(droppedDuring(op.SET_ORDER, op.CREATE_POLICY), [op.SET_ORDER, op.CREATE_POLICY]),
  'deletion-lost-to-order': overlap('A deletion that overlaps with an order is lost', LOST, [op.DELETE_POLICY]).inner(
    droppedDuring(op.DELETE_POLICY, op.SET_ORDER),
    [op.SET_ORDER, op.DELETE_POLICY],
  ),
  'approval-lost-to-approval': published('One of two overlapping approvals of a job is lost', LOST, [op.APPROVE]).inner(
    () => staleApproval,
  ),
} as const;

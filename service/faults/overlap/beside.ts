import type { Call, Handler } from '../../http/call.ts';
import type { Answer } from '../../http/answer.ts';
import { overlap } from '../fault.ts';
import type { Defect } from '../fault.ts';
import * as op from '../operations.ts';
import { id, pause } from '../parts.ts';

const LOST = 'A change that was answered with 200 is not lost, whatever else goes on.';

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

export const besideFaults = {
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
  'approval-lost-to-approval': overlap('Of approvals of one job that overlap one is lost', LOST, [op.APPROVE], () => ({
    inner: approving,
  })),
} as const;

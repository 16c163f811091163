import { COUNTER_DIGITS, fieldFront, workerFront } from './engines/traffic.ts';
import type { Acknowledged } from './scenarios/index.ts';
import type { Trial } from './trial.ts';

/** The id as it was sent in the unique fields of a request. */
function idText(front: string, id: number): string {
  return front + id.toString(36).padStart(COUNTER_DIGITS, '0').slice(-COUNTER_DIGITS);
}

/** The ids that trials of one run have sent, and which of them were acknowledged. */
export function acknowledgedBy(trials: readonly Trial[], runId: string, fieldWidth: number): Acknowledged {
  const front = fieldFront(runId, fieldWidth);
  return {
    count: trials.reduce((sum, trial) => sum + trial.measurement.whole.answered, 0),
    idWidth: fieldWidth,
    *ids() {
      for (const { firstId, nextIds, failedIds } of trials)
        for (const [worker, next] of nextIds.entries()) {
          const own = front + workerFront(worker, fieldWidth);
          for (let id = firstId; id < next; id += 1)
            yield { id: idText(own, id), acknowledged: failedIds[worker]?.has(id) !== true };
        }
    },
  };
}

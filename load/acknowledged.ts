import { fieldFront } from './encode-traffic.ts';
import { COUNTER_DIGITS } from './engines/traffic.ts';
import type { Acknowledged } from './scenarios/index.ts';
import type { Trial } from './trial.ts';

/** The id as it stood in a request's fields. */
export function idText(front: string, worker: number, id: number): string {
  return front + (worker % 36).toString(36) + id.toString(36).padStart(COUNTER_DIGITS, '0').slice(-COUNTER_DIGITS);
}

/** What a trial's requests carried, and which of them were answered with success. */
export function acknowledgedBy(trial: Trial, runId: string, fieldWidth: number): Acknowledged {
  const front = fieldFront(runId, fieldWidth);
  return {
    count: trial.measurement.whole.answered,
    idWidth: fieldWidth,
    *ids() {
      for (const [worker, sent] of trial.nextIds.entries()) {
        const failed = trial.failedIds[worker];
        for (let id = 0; id < sent; id += 1)
          yield { id: idText(front, worker, id), acknowledged: failed?.has(id) !== true };
      }
    },
  };
}

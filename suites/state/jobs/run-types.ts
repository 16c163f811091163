import type { Exchange, Operation, Violation } from '../../../spec/index.ts';
import { violationOf } from '../../kit/violation.ts';

/** The runs of one type, as a list shows them. */
interface Selection {
  readonly ids: readonly string[];
  readonly exchange: Exchange;
}

/** The direction does not change which runs a type selects. */
export function findOtherRuns(
  operation: Operation,
  selections: readonly Selection[],
  descending: readonly Selection[],
): Violation | undefined {
  const type = selections.findIndex(({ ids }, at) => descending[at]?.ids.some((id) => !ids.includes(id)) === true);
  const [before, after] = [selections[type], descending[type]];
  if (before === undefined || after === undefined) return undefined;
  return violationOf('filters/ignored', operation, {
    subject: 'runType',
    requirement: 'runs.run-type',
    expected: `the ${before.ids.length} runs of runType=${type}, in another order`,
    received: `${after.ids.length} runs with sortDirection=1`,
    exchanges: [before.exchange, after.exchange],
  });
}

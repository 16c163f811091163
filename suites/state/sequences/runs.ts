import type { Form } from '../../../spec/index.ts';
import { idsOf } from '../../../domain/items.ts';
import type { Violation } from '../../kit/context.ts';
import type { Act } from './blame.ts';
import { persists } from './patience.ts';
import type { Real } from './real.ts';
import type { Subject } from './subject.ts';
import { OPERATIONS } from '../../../domain/builtin/operations.ts';

/** Runs of a job that are read at once; more are never queued in a sequence. */
const ALL = 100;

/** Section 4: what was queued is among the runs of its job, and stays there. A dry run may leave one of its own. */
export function lookAtRuns(
  { t, steps, patienceMs }: Real,
  act: Act,
  { made, known }: Subject,
  form: Form | undefined,
): Promise<Violation | undefined> {
  const operation = t.session.contract.operation(OPERATIONS.runs);
  const { runs = 0 } = known;
  if (operation === undefined || runs === 0 || !known.there) return Promise.resolve(undefined);
  return persists(
    t,
    async () => {
      const exchange = await t.send(operation, {
        path: { id: made.id },
        query: { pageNumber: 1, pageSize: ALL },
        label: 'list the runs',
        ...(form === undefined ? {} : { form }),
      });
      const seen = idsOf(exchange.response?.json);
      if (seen === undefined || seen.length >= runs || t.hasViolation(exchange)) return undefined;
      const cause =
        act.kind === 'queue' ? 'the queued run does not appear' : `${act.kind}, and runs that were queued are gone`;
      return {
        check: 'job-runs',
        requirement: 'runs.execute-appears',
        ...(act.operation === undefined ? {} : { operation: act.operation }),
        cause,
        message: `${act.operation?.id ?? act.name}: ${cause}`,
        expected: `${runs} runs (api.md 4, POST execution-queue)`,
        received: `${seen.length} runs`,
        exchanges: [made.created, ...steps.filter((each) => each.id !== made.created.id), exchange],
      };
    },
    patienceMs,
  );
}

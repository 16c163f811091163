import { expect, it } from 'vitest';
import { openJournal } from '../../client/index.ts';
import { loadContract } from '../../spec/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import type { Measurement, SliceView } from '../measurement.ts';
import { knownOptions } from '../testing/known-scenario.ts';
import type { FlowJob } from './job.ts';
import { FlowWatch } from './watch.ts';

it('counts what a flow creates, by one entry of the journal for each kind', async () => {
  const baseUrl = 'http://127.0.0.1:1';
  const journal = openJournal({ dir: emptyDirectory(), runId: 'r', baseUrl });
  const contract = await loadContract();
  const watch = new FlowWatch({ tag: 'assay-r' } as FlowJob, { ...knownOptions(baseUrl), contract, journal });
  const answered = (...parts: readonly (readonly [operation: string, answered: number, status?: number])[]): void =>
    watch.add(
      {
        parts: parts.map(([operation, amount, status = 200]) => ({
          operation,
          statuses: [[status, amount]],
          errors: [],
        })),
      } as unknown as SliceView,
      { whole: { flow: { mistakes: [], completed: 1 } } } as unknown as Measurement,
    );
  answered(['POST /aiagent', 3], ['GET /aiagent', 9]);
  answered(['POST /aiagent', 4], ['POST /aijob', 5, 400], ['POST /accesscontrolpolicies', 1]);
  answered(['DELETE /aiagent/{id}', 2], ['DELETE /aiagent/{id}', 9, 404]);
  await watch.settled();
  expect(journal.pending()).toMatchObject([{ amount: 5 }, { amount: 1 }]);
  expect(journal.created).toBe(8);
  await journal.close();
});

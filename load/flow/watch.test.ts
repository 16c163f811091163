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
  const watch = new FlowWatch({ tag: 'assay-r', effects: ['reversible', 'costly'] } as unknown as FlowJob, {
    ...knownOptions(baseUrl),
    contract,
    journal,
  });
  await watch.begin();
  expect(journal.pending().map(({ create }) => create)).toContain('POST /aijob');
  const answered = (
    ...parts: readonly (readonly [operation: string, answered: number, status?: number, name?: string])[]
  ): void =>
    watch.add(
      {
        parts: parts.map(([operation, amount, status = 200, name]) => ({
          ...(name === undefined ? { operation } : { operation: name, named: operation }),
          statuses: [[status, amount]],
          errors: [],
        })),
      } as unknown as SliceView,
      { whole: { flow: { mistakes: [], completed: 1, interrupted: 0 } } } as unknown as Measurement,
    );
  answered(['POST /aiagent', 3], ['GET /aiagent', 9]);
  answered(['POST /aiagent', 4], ['POST /aijob', 5, 400], ['POST /accesscontrolpolicies', 1, 201, 'own name']);
  answered(['DELETE /aiagent/{id}', 2], ['DELETE /aiagent/{id}', 9, 404]);
  await watch.settled();
  expect(journal.pending()).toMatchObject([{ amount: 1 }, { amount: 5 }]);
  expect(journal.created).toBe(8);
  await journal.close();
});

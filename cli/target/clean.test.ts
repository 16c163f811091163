import { expect, it } from 'vitest';
import { openJournal } from '../../client/index.ts';
import { closeAfterTest, serve } from '../../client/testing/fixtures.ts';
import { ORDER_NAME } from '../../domain/builtin/restore-order.ts';
import { loadContract } from '../../spec/index.ts';
import { sampleStart } from '../../reports/testing/sample-run.ts';
import type { RunRecord } from '../../spec/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { cleanJournals, effectsOfKilled } from './clean.ts';

const item = { create: 'POST /a', remove: 'DELETE /a/{id}', idName: 'id', list: 'GET /a', tag: 'assay-x-1' };

it('knows from the journal what a run left that was killed', async () => {
  const [dir, baseUrl] = [emptyDirectory(), 'http://127.0.0.1:9'];
  const journal = openJournal({ dir, runId: 'x', baseUrl });
  await journal.removed(await journal.intend(item));
  await journal.acknowledge(await journal.intend(item), '7');
  const killed: RunRecord = { ...sampleStart(), target: { baseUrl, embedded: false }, options: { runId: 'x' } };
  expect(effectsOfKilled([killed], dir)).toMatchObject([
    { created: 2, removed: 1, left: [{ kind: 'POST /a', id: '7', reason: expect.stringContaining('assay clean') }] },
  ]);
  expect(effectsOfKilled([killed, { type: 'effects', created: 2, removed: 2, left: [] }], dir)).toEqual([]);
  expect(effectsOfKilled([{ ...killed, options: { runId: 'y' } }], dir)).toEqual([]);
  await journal.close();
});

it('gives up a target that does not respond, with the global state as with the items', async () => {
  let requests = 0;
  const server = await serve(() => void (requests += 1));
  closeAfterTest(server);
  const [journalDir, target] = [emptyDirectory(), { baseUrl: server.url, timeoutMs: 200 }];
  const journal = openJournal({ dir: journalDir, runId: 'x', baseUrl: server.url });
  const policy = 'POST /accesscontrolpolicies';
  const create = { create: policy, remove: 'DELETE /accesscontrolpolicies/{id}', list: 'GET /accesscontrolpolicies' };
  await journal.acknowledge(await journal.intend({ ...item, ...create }), '7');
  await journal.saveGlobal(ORDER_NAME, ['7']);
  await journal.close();
  const { left } = await cleanJournals({ contract: await loadContract(), journalDir, target, runId: 'x' });
  expect(left.map(({ kind }) => kind)).toEqual([policy, ORDER_NAME]);
  expect(requests).toBe(2);
});

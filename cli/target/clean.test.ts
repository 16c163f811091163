import { expect, it } from 'vitest';
import { openJournal } from '../../client/index.ts';
import { sampleStart } from '../../reports/testing/sample-run.ts';
import type { RunRecord } from '../../spec/index.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { effectsOfKilled } from './clean.ts';

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

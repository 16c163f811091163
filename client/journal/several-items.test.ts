import { expect, test } from 'vitest';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { closeAfterTest } from '../testing/fixtures.ts';
import { createTarget } from '../pipeline.ts';
import { serveThings, thing, THINGS } from '../testing/things.ts';
import type { Things } from '../testing/things.ts';
import { cleanUp } from './clean-up.ts';
import type { CleanUpReport } from './clean-up.ts';
import { openJournal } from './journal.ts';
import { readJournals } from './read-journals.ts';

/** A service, the journal of a run in which one entry stands for so many items, and its clean-up. */
async function after(
  amount: number,
): Promise<{ readonly things: Things; readonly clean: () => Promise<CleanUpReport>; readonly journals: () => number }> {
  const things = await serveThings();
  const target = createTarget({ baseUrl: things.url });
  closeAfterTest(target, things);
  const where = { dir: emptyDirectory(), runId: 'r1', baseUrl: things.url };
  const journal = openJournal(where);
  await journal.expects(await journal.intend(thing('assay-flow')), amount);
  await journal.close();
  return {
    things,
    clean: () => cleanUp(target, THINGS, readJournals(where), { settleMs: 20 }),
    journals: () => readJournals(where).length,
  };
}

test('each item of an entry that stands for several is removed, or left with its id', async () => {
  const { things, clean, journals } = await after(5);
  for (const id of ['a', 'b', 'c']) things.store.set(id, { id, name: `assay-flow-${id}` });
  things.intercept = ({ method, url = '' }, response) =>
    method === 'DELETE' && !url.endsWith('/b') && Boolean(response.writeHead(url.endsWith('/a') ? 204 : 409).end());
  const report = await clean();
  expect(report).toMatchObject({ created: 5, removed: 1, cleaned: 1, forgotten: 2 });
  expect(report.left.map(({ id, count = 1 }) => `${id} ${count}`)).toEqual(['a 1', 'c 1', 'assay-flow 2']);
  things.intercept = () => false;
  expect(await clean()).toMatchObject({ created: 2, removed: 2, cleaned: 2, left: [] });
  expect([things.store.size, journals()]).toEqual([0, 0]);
});

test('those of several items that were not found are counted as left', async () => {
  const { things, clean, journals } = await after(4);
  things.store.set('a', { id: 'a', name: 'assay-flow-a' });
  expect(await clean()).toMatchObject({ created: 4, removed: 1, cleaned: 1, left: [{ count: 3 }], forgotten: 3 });
  expect(journals()).toBe(0);
});

import { expect, test } from 'vitest';
import { runOfThings, thing } from '../testing/things.ts';
import type { ThingsRun } from '../testing/things.ts';

/** A run in which one entry stands for so many items. */
async function after(amount: number): Promise<ThingsRun> {
  const run = await runOfThings();
  await run.journal.expects(await run.journal.intend(thing('assay-flow')), amount);
  await run.journal.close();
  return run;
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
  expect([things.store.size, journals().length]).toEqual([0, 0]);
});

test('those of several items that were not found are counted as left', async () => {
  const { things, clean, journals } = await after(4);
  things.store.set('a', { id: 'a', name: 'assay-flow-a' });
  expect(await clean()).toMatchObject({ created: 4, removed: 1, cleaned: 1, left: [{ count: 3 }], forgotten: 3 });
  expect(journals()).toEqual([]);
});

import { expect, test } from 'vitest';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';
import { createTarget } from '../pipeline.ts';
import { closeAfterTest, contractOf, operation } from '../testing/fixtures.ts';
import { serveThings, thing, THINGS } from '../testing/things.ts';
import { cleanUp } from './clean-up.ts';
import { openJournal } from './journal.ts';
import { readJournals } from './read-journals.ts';

const UUID = '11111111-1111-4111-8111-111111111111';

test('an item without a name of the run is looked for by its uuid after its removal', async () => {
  const things = await serveThings();
  const target = createTarget({ baseUrl: things.url });
  closeAfterTest(target, things);
  const where = { dir: emptyDirectory(), runId: 'r1', baseUrl: things.url };
  const journal = openJournal(where);
  const entry = await journal.intend(thing(''));
  await journal.acknowledge(entry, UUID);
  await journal.removed(entry);
  await journal.acknowledge(await journal.intend(thing('')), UUID.replace('1', '2'));
  things.store.set(UUID, { id: UUID, name: 'generated' });
  things.intercept = (request, response) => request.method === 'DELETE' && Boolean(response.writeHead(200).end());
  await journal.close();
  const report = await cleanUp(target, THINGS, readJournals(where), { settleMs: 20 });
  expect(report).toMatchObject({ created: 2, removed: 1, left: [{ id: UUID }] });
});

test.each([
  ['a list', THINGS],
  ['a read', contractOf(...THINGS.operations, operation({ path: '/things/{id}' }))],
])(
  'a number that another item has now is left, as %s shows; one that was removed is not looked for',
  async (_by, contract) => {
    const things = await serveThings();
    const target = createTarget({ baseUrl: things.url });
    closeAfterTest(target, things);
    const hasRead = contract !== THINGS;
    const names = { 1: 'assay-r1-changed', 2: 'the order of a customer', 3: 'another customer', 4: 'of nobody' };
    for (const [id, name] of Object.entries(names)) things.store.set(id, { id, name });
    things.intercept = ({ method, url = '' }, response) => {
      if (method !== 'GET' || !hasRead) return false;
      const id = url.split('/')[3];
      response.end(JSON.stringify(id === undefined ? [{ id: '1' }, { id: '2' }, { id: '3' }] : things.store.get(id)));
      return true;
    };
    const where = { dir: emptyDirectory(), runId: 'r1', baseUrl: things.url };
    const journal = openJournal(where);
    for (const id of ['1', '2']) await journal.acknowledge(await journal.intend(thing(`assay-r1-n${id}`)), id);
    const removed = await journal.intend(thing('assay-r1-n3'));
    await journal.acknowledge(removed, '3');
    await journal.removed(removed);
    await journal.acknowledge(await journal.intend(thing('')), '4');
    await journal.close();
    const clean = (ownsNames: boolean) => cleanUp(target, contract, readJournals(where), { settleMs: 20, ownsNames });
    const reason = expect.stringContaining('another item may have this number now') as string;
    expect(await clean(false)).toMatchObject({
      created: 4,
      removed: 2,
      cleaned: 1,
      left: [
        { id: '2', reason },
        { id: '4', reason },
      ],
    });
    expect([...things.store.keys()]).toEqual(['2', '3', '4']);
    // At the end of its own run, what has no name is new.
    expect(await clean(true)).toMatchObject({ cleaned: 1, left: [{ id: '2', reason }] });
    expect([...things.store.keys()]).toEqual(['2', '3']);
  },
);

test('what is left says what is known of it', async () => {
  const things = await serveThings();
  const target = createTarget({ baseUrl: things.url });
  closeAfterTest(target, things);
  things.store.set(UUID, { id: UUID, name: 'assay-r1-n1' });
  things.intercept = (request, response) => request.method === 'DELETE' && Boolean(response.writeHead(404).end());
  const where = { dir: emptyDirectory(), runId: 'r1', baseUrl: things.url };
  const journal = openJournal(where);
  await journal.acknowledge(await journal.intend(thing('assay-r1-n1')), UUID);
  const { list: _list, ...unlisted } = thing('');
  await journal.unnamed(await journal.intend(unlisted), '12');
  await journal.close();
  const { left } = await cleanUp(target, THINGS, readJournals(where), { settleMs: 20 });
  expect(left.map(({ reason }) => reason).toSorted()).toEqual([
    'created without a name of this run: the response does not tell a new item from an existing one',
    'its removal was answered with not found, but GET /things still returns it',
  ]);
});

import { expect, test } from 'vitest';
import { contractOf, operation } from '../testing/fixtures.ts';
import { runOfThings, thing, THINGS } from '../testing/things.ts';

const UUID = '11111111-1111-4111-8111-111111111111';

test('an item without a name of the run is looked for by its uuid after its removal', async () => {
  const { things, journal, clean } = await runOfThings();
  const entry = await journal.intend(thing(''));
  await journal.acknowledge(entry, UUID);
  await journal.removed(entry);
  await journal.acknowledge(await journal.intend(thing('')), UUID.replace('1', '2'));
  things.store.set(UUID, { id: UUID, name: 'generated' });
  things.intercept = (request, response) => request.method === 'DELETE' && Boolean(response.writeHead(200).end());
  await journal.close();
  expect(await clean()).toMatchObject({ created: 2, removed: 1, left: [{ id: UUID }] });
});

test.each([
  ['a list', THINGS],
  ['a read', contractOf(...THINGS.operations, operation({ path: '/things/{id}' }))],
])(
  'a number that another item has now is left, as %s shows; one that was removed is not looked for',
  async (_by, contract) => {
    const { things, target, journal, clean } = await runOfThings();
    const hasRead = contract !== THINGS;
    const names = { 1: 'assay-r1-changed', 2: 'the order of a customer', 3: 'another customer', 4: 'of nobody' };
    for (const [id, name] of Object.entries(names)) things.store.set(id, { id, name });
    things.intercept = ({ method, url = '' }, response) => {
      if (method !== 'GET' || !hasRead) return false;
      const id = url.split('/')[3];
      response.end(JSON.stringify(id === undefined ? [{ id: '1' }, { id: '2' }, { id: '3' }] : things.store.get(id)));
      return true;
    };
    for (const id of ['1', '2']) await journal.acknowledge(await journal.intend(thing(`assay-r1-n${id}`)), id);
    const removed = await journal.intend(thing('assay-r1-n3'));
    await journal.acknowledge(removed, '3');
    await journal.removed(removed);
    await journal.acknowledge(await journal.intend(thing('')), '4');
    await journal.close();
    const reason = expect.stringContaining('another item may have this number now') as string;
    expect(await clean({}, target, contract)).toMatchObject({
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
    expect(await clean({ ownsNames: true }, target, contract)).toMatchObject({
      cleaned: 1,
      left: [{ id: '2', reason }],
    });
    expect([...things.store.keys()]).toEqual(['2', '3']);
  },
);

test('what is left says what is known of it', async () => {
  const { things, journal, clean } = await runOfThings();
  things.store.set(UUID, { id: UUID, name: 'assay-r1-n1' });
  things.intercept = (request, response) => request.method === 'DELETE' && Boolean(response.writeHead(404).end());
  await journal.acknowledge(await journal.intend(thing('assay-r1-n1')), UUID);
  const { list: _list, ...unlisted } = thing('');
  await journal.unnamed(await journal.intend(unlisted), '12');
  await journal.close();
  const { left } = await clean();
  expect(left.map(({ reason }) => reason).toSorted()).toEqual([
    'created without a name of this run: the response does not tell a new item from an existing one',
    'its removal was answered with not found, but GET /things still returns it',
  ]);
});

test('an item whose creation was served without an id is found where the list shows it late', async () => {
  const { things, journal, clean } = await runOfThings();
  things.store.set(UUID, { id: UUID, name: 'assay-r1-n1' });
  let shownAt = Infinity;
  things.intercept = ({ method }, response) => {
    if (method !== 'GET') return false;
    shownAt = Math.min(shownAt, performance.now() + 150);
    return performance.now() < shownAt && Boolean(response.end('[]'));
  };
  await journal.served(await journal.intend(thing('assay-r1-n1')));
  await journal.close();
  expect(await clean({ settleMs: 60, ownsNames: true })).toMatchObject({
    created: 1,
    removed: 1,
    cleaned: 1,
    left: [],
  });
  expect(things.store.size).toBe(0);
});

import { beforeEach, expect, test } from 'vitest';
import type { CleanUpOptions, CleanUpReport } from '../journal/clean-up.ts';
import type { Journal } from '../journal/journal.ts';
import type { Target } from '../pipeline.ts';
import type { RequestSpec } from '../request-spec.ts';
import { operation, targetOf } from '../testing/fixtures.ts';
import { RESOURCE, runOfThings, thing } from '../testing/things.ts';
import type { Things, ThingsRun } from '../testing/things.ts';
import { nameIn } from './journal.ts';
import type { Creation } from './journal.ts';

let run: ThingsRun;
let things: Things;
let journal: Journal;
let target: Target;
let creations: Creation[];

beforeEach(async () => {
  run = await runOfThings();
  ({ things, journal } = run);
  creations = [];
  target = targetOf(things, {
    retry: {},
    journaling: {
      journal,
      tag: 'assay-r1',
      resources: [RESOURCE],
      idOf: ({ response }) => (typeof response?.json === 'string' ? response.json : undefined),
      onCreation: (creation) => creations.push(creation),
    },
  });
});

const clean = (options?: CleanUpOptions, by = target): Promise<CleanUpReport> => run.clean(options, by);

const UUID = '11111111-1111-4111-8111-111111111111';
const creationOf = (name: string): RequestSpec => ({ operation: RESOURCE.create, json: { name } });

test('a creation is in the journal before it is sent, and out of it once it is removed', async () => {
  let pendingWhileSent = 0;
  things.intercept = () => {
    pendingWhileSent = journal.pending().length;
    return false;
  };
  const exchange = await target.send(creationOf('assay-r1-n1'));
  expect(pendingWhileSent).toBe(1);
  const [creation] = creations;
  expect(creation).toMatchObject({ exchange, id: exchange.response?.json, entry: { tag: 'assay-r1-n1' } });
  if (creation?.entry === undefined || creation.id === undefined) throw new Error('no creation');
  await journal.acknowledge(creation.entry, creation.id);
  await target.send({ operation: RESOURCE.remove, path: { id: creation.id } });
  expect(journal.pending()).toEqual([]);
});

test('a creation that the target refused is not in the journal', async () => {
  things.intercept = (_request, response) => Boolean(response.writeHead(400).end());
  await target.send(creationOf('assay-r1-n1'));
  expect(journal.pending()).toEqual([]);
  expect(creations).toMatchObject([{ exchange: { response: { status: 400 } } }]);
});

test('an item that a refused creation stored is found by its name and removed', async () => {
  things.intercept = (_request, response) => {
    things.store.set('1', { id: '1', name: 'a assay-r1-n1' }).set('2', { id: '2', name: 'assay-r1-n10' });
    return Boolean(response.writeHead(403).end());
  };
  await target.send(creationOf('assay-r1-n1'));
  expect(journal.pending()).toEqual([]);
  things.intercept = () => false;
  await journal.close();
  expect(await clean()).toMatchObject({ created: 1, removed: 1, cleaned: 1, left: [] });
  expect([...things.store.keys()]).toEqual(['2']);
  expect(await clean()).toMatchObject({ created: 0 });
});

test('an item that was created without an id in the response, and is in no list, is reported by its run only', async () => {
  await target.send(creationOf('assay-r1-n1'));
  things.intercept = ({ method }, response) => method === 'POST' && Boolean(response.writeHead(200).end());
  await target.send(creationOf('assay-r1-n2'));
  await journal.close();
  const reason = expect.stringMatching(/created, but .* does not show it/) as string;
  expect(await clean({ ownsNames: true })).toMatchObject({
    created: 2,
    removed: 1,
    left: [{ id: 'assay-r1-n2', reason }],
  });
  expect(await clean()).toMatchObject({ cleaned: 0, left: [] });
});

test('an item with a name of the run that no creation explains is removed where the names are its own', async () => {
  await target.send(creationOf('assay-r1-n1'));
  things.intercept = (_request, response) => Boolean(response.writeHead(400).end());
  await target.send(creationOf('assay-r1-n2'));
  things.intercept = () => false;
  things.store.set('7', { id: '7', name: 'assay-r1-n3' }).set('8', { id: '8', name: 'Copy of assay-r1-n3' });
  await journal.close();
  const report = await clean({ ownsNames: true });
  expect(report).toMatchObject({ created: 2, removed: 2, left: [] });
  expect([...things.store.keys()]).toEqual(['8']);
});

test.each<readonly [status: number, shown: object]>([
  [201, {}],
  [500, { email: 'assay-r1-n1@a.example' }],
])(
  'an item with the name in an e-mail address only is found by its id, or by the address: %s',
  async (status, shown) => {
    things.intercept = ({ method }, response) => {
      if (method !== 'POST') return false;
      things.store.set(UUID, { id: UUID, name: 'Ada', ...shown }).set('8', { id: '8', name: 'of assay-r1-n2' });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(UUID));
      return true;
    };
    await target.send({ operation: RESOURCE.create, json: { name: 'Ada', email: 'assay-r1-n1@a.example' } });
    await journal.close();
    expect(await clean({}, run.target)).toMatchObject({ cleaned: 1, left: [] });
    expect([...things.store.keys()]).toEqual(['8']);
  },
);

test('a POST that was processed before the connection was reset is not sent again; the clean-up finds what it created', async () => {
  things.resetAfterCreating = true;
  const exchange = await target.send(creationOf('assay-r1-n1'));
  expect(exchange).toMatchObject({ attempts: 1, failure: { kind: 'reset', stage: 'sent' } });
  expect([...things.store.values()].map(({ name }) => name)).toEqual(['assay-r1-n1']);
  await journal.close();
  expect(await clean()).toMatchObject({ created: 1, removed: 1, left: [] });
  expect(things.store.size).toBe(0);
});

test('the name is found in any encoding of the body', () => {
  const text = '{"name":"\\u0061ssay-r1-n1 \\ud800"}';
  expect(nameIn(text, 'assay-r1')).toBe('assay-r1-n1');
  expect(nameIn(Buffer.from('\ufeff{"name":"x assay-r1-n2"}', 'utf16le'), 'assay-r1')).toBe('assay-r1-n2');
  expect(nameIn('{"name":"assay-r10-n1"}', 'assay-r1')).toBeUndefined();
  expect(nameIn(`{"name":"assay-r1-n3O'Brien"}`, 'assay-r1')).toBe('assay-r1-n3O');
});

test('what was created without a name is reported as left', async () => {
  const shown = (await target.send(creationOf('of nobody'))).response?.json;
  await target.send(creationOf('assay-r1-n1'));
  things.resetAfterCreating = true;
  await target.send(creationOf('of nobody'));
  things.intercept = (request, response) => request.method === 'POST' && Boolean(response.writeHead(500).end());
  await target.send(creationOf('of nobody'));
  await journal.close();
  const { removed, left } = await clean();
  expect({ removed, left }).toMatchObject({ removed: 1, left: [{ id: shown }, { id: 'id unknown' }] });
  expect(left[0]?.reason).toMatch(/a new item from an existing one/);
  expect(left[1]?.reason).toBe('created without a name of this run, so it was not found');
  expect([...things.store.values()].map(({ name }) => name)).toEqual(['of nobody', 'of nobody']);
});

test.each([
  ['PUT', 'generated', '', []],
  ['PUT', 'assay-r1-n2', '', ['7']],
  ['PATCH', 'generated', '{"name":"assay-r1-n1"}', ['7']],
] as const)(
  'after a %s of %j answered with %j, a number that shows no name of the run: %j is left',
  async (method, name, shown, left) => {
    await journal.acknowledge(await journal.intend(thing('assay-r1-n1')), '7');
    things.store.set('7', { id: '7', name: 'generated' });
    things.intercept = (request, response) => request.method === method && Boolean(response.writeHead(200).end(shown));
    const update = operation({ method, path: '/things/{id}' });
    await target.send({ operation: update, path: { id: '7' }, json: { name } });
    await journal.close();
    await clean({ ownsNames: true }, run.target);
    expect([...things.store.keys()]).toEqual(left);
  },
);

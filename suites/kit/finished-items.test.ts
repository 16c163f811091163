import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTarget, openJournal } from '../../client/index.ts';
import type { Journal, Target } from '../../client/index.ts';
import { RESOURCE, serveThings, THINGS } from '../../client/testing/things.ts';
import type { Things } from '../../client/testing/things.ts';
import { FinishedItems } from './finished-items.ts';
import type { OwnItem } from './finished-items.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

let dir: string;
let things: Things;
let journal: Journal;
let target: Target;
let finished: FinishedItems;
let forgotten: number;
let created: OwnItem[];

beforeEach(async () => {
  dir = emptyDirectory();
  things = await serveThings();
  journal = openJournal({ dir, runId: 'r1', baseUrl: things.url });
  target = createTarget({
    baseUrl: things.url,
    journaling: {
      journal,
      tag: 'assay-r1',
      resources: [RESOURCE],
      idOf: ({ response }) => (typeof response?.json === 'string' ? response.json : undefined),
      onCreation({ entry, id }) {
        if (entry === undefined || id === undefined) return;
        created.push({ entry, id });
        void journal.acknowledge(entry, id);
      },
    },
  });
  forgotten = 0;
  created = [];
  const forget = (): void => {
    forgotten += 1;
  };
  finished = new FinishedItems({ contract: THINGS, journal, target, mayRemove: () => true, forget });
});

afterEach(async () => {
  await target.close();
  await journal.close();
  await things.close();
});

/** Creates items, and returns them. */
const create = async (name: string, count: number): Promise<readonly OwnItem[]> => {
  for (let item = 0; item < count; item += 1)
    await target.send({ operation: RESOURCE.create, json: { name: `assay-r1-${name}${item}` } });
  return created.splice(0);
};

const names = (): readonly string[] => [...things.store.values()].map(({ name }) => name.replace(/\d+$/, ''));

test('the oldest items of finished tests are removed, and no others', async () => {
  await create('shared', 71);
  await finished.add(await create('first', 70));
  expect(new Set(names())).toEqual(new Set(['assay-r1-shared', 'assay-r1-first']));
  const second = await create('second', 70);
  expect(names()).toContain('assay-r1-first');
  await finished.add(second);
  expect(new Set(names())).toEqual(new Set(['assay-r1-shared', 'assay-r1-second']));
  expect(journal.pending()).toHaveLength(141);
  expect(forgotten).toBe(70);
});

test('what cannot be removed stays in the journal', async () => {
  things.intercept = (request, response) => request.method === 'DELETE' && Boolean(response.writeHead(409).end());
  await finished.add(await create('first', 120));
  expect(journal.pending()).toHaveLength(120);
});

test('where there is no room for more items, all those of finished tests are removed, and later ones are not kept', async () => {
  await finished.add(await create('first', 2));
  expect(await Promise.all([finished.makeRoom(), finished.makeRoom()])).toEqual([true, true]);
  expect(names()).toEqual([]);
  await finished.add(await create('second', 1));
  expect(names()).toEqual([]);
  expect(await finished.makeRoom()).toBe(false);
});

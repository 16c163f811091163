import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTarget, openJournal } from '../../client/index.ts';
import type { Journal, Target } from '../../client/index.ts';
import { RESOURCE, serveThings, THINGS } from '../../client/testing/things.ts';
import type { Things } from '../../client/testing/things.ts';
import { FinishedItems } from './finished-items.ts';

let dir: string;
let things: Things;
let journal: Journal;
let target: Target;
let finished: FinishedItems;
let forgotten: number;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'assay-finished-'));
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
        finished.note({ entry, id });
        void journal.acknowledge(entry, id);
      },
    },
  });
  forgotten = 0;
  const forget = (): void => {
    forgotten += 1;
  };
  finished = new FinishedItems({ contract: THINGS, journal, target, mayRemove: () => true, forget });
});

afterEach(async () => {
  await target.close();
  await journal.close();
  await things.close();
  rmSync(dir, { recursive: true });
});

const create = async (name: string, count: number): Promise<void> => {
  for (let item = 0; item < count; item += 1)
    await target.send({ operation: RESOURCE.create, json: { name: `assay-r1-${name}${item}` } });
};

const names = (): readonly string[] => [...things.store.values()].map(({ name }) => name.replace(/\d+$/, ''));

test('the oldest items of finished tests are removed, and no others', async () => {
  await create('before', 1);
  await finished.during(async () => {
    await finished.shared(() => create('shared', 70));
    await create('first', 70);
  });
  expect(new Set(names())).toEqual(new Set(['assay-r1-before', 'assay-r1-shared', 'assay-r1-first']));
  await finished.during(async () => {
    await create('second', 70);
    expect(names()).toContain('assay-r1-first');
  });
  expect(new Set(names())).toEqual(new Set(['assay-r1-before', 'assay-r1-shared', 'assay-r1-second']));
  expect(journal.pending()).toHaveLength(141);
  expect(forgotten).toBe(70);
});

test('what is refused stays in the journal, and the test that failed says so itself', async () => {
  things.intercept = (request, response) => request.method === 'DELETE' && Boolean(response.writeHead(409).end());
  const failing = finished.during(async () => {
    await create('first', 120);
    throw new Error('wrong');
  });
  await expect(failing).rejects.toThrow('wrong');
  expect(journal.pending()).toHaveLength(120);
});

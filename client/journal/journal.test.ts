import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { Target } from '../pipeline.ts';
import { contractOf, targetOf } from '../testing/fixtures.ts';
import { serveThings, thing, THINGS } from '../testing/things.ts';
import type { Things } from '../testing/things.ts';
import { cleanUp } from './clean-up.ts';
import { openJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import { readJournals } from './read-journals.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

const UUID = '11111111-1111-4111-8111-111111111111';
let dir: string;
let things: Things;
let target: Target;

beforeEach(async () => {
  dir = emptyDirectory();
  things = await serveThings();
  target = targetOf(things, { retry: {} });
});

function files(): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => /ndjson|claim/.test(name));
}

function open(runId = 'r1', baseUrl = things.url): Journal {
  return openJournal({ dir, runId, baseUrl, spec: 'things.yaml' });
}

// This process' own journal, read as that of a killed run.
const left = (runId = 'r1') => readJournals({ dir, baseUrl: things.url, runId });

const clean = (options = {}) => cleanUp(target, THINGS, left(), { settleMs: 20, ...options });

test('a run that created nothing, or removed everything, leaves no file', async () => {
  const journal = open();
  await journal.close();
  const other = open();
  const entry = await other.intend(thing('a'));
  expect(readFileSync(join(dir, files()[0] ?? ''), 'utf8')).toContain('"tag":"a"');
  expect(left()[0]?.header.spec).toBe(resolve('things.yaml'));
  await other.removed(entry);
  await other.close();
  expect(files()).toEqual([]);
});

test('a resource is removed by its id, or by its tag where the id never came; nothing else is removed', async () => {
  for (const [at, name] of [
    'renamed assay-r1-u0',
    'Assay-R1-n1',
    'assay-r1-n10',
    'of another',
    'xassay-r1-n1',
  ].entries())
    things.store.set(`${at + 1}`, { id: `${at + 1}`, name });
  const journal = open();
  await journal.acknowledge(await journal.intend(thing('assay-r1-n0')), '1');
  await journal.intend(thing('assay-r1-n1'));
  await journal.intend(thing('assay-r1-n2'));
  await journal.refused(await journal.intend(thing('assay-r1-n3')));
  await journal.close();
  expect(await clean()).toEqual({ created: 2, removed: 2, cleaned: 2, gone: 1, left: [], forgotten: 0, restored: [] });
  expect([...things.store.keys()]).toEqual(['3', '4', '5']);
  expect(files()).toEqual([]);
});

test('an item is found on a late page, and one that was created twice is removed twice', async () => {
  for (let i = 0; i < 75; i++) things.store.set(`o${i}`, { id: `o${i}`, name: `other ${i}` });
  things.store.set('a', { id: 'a', name: 'assay-late' });
  things.store.set('b', { id: 'b', name: 'assay-late' });
  const journal = open();
  await journal.intend(thing('assay-late'));
  await journal.close();
  expect(await clean()).toMatchObject({ created: 2, removed: 2, cleaned: 2, left: [] });
  expect(things.store.size).toBe(75);
});

test('items that a short list does not show are found once others are removed', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e']) things.store.set(name, { id: name, name: `assay-${name}` });
  things.intercept = ({ method, url = '' }, response) =>
    method === 'GET' &&
    Boolean(response.end(JSON.stringify(url.includes('page=0') ? [...things.store.values()].slice(0, 2) : [])));
  const journal = open();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'never']) await journal.intend(thing(`assay-${name}`));
  await journal.close();
  expect(await clean()).toMatchObject({ created: 5, removed: 5, cleaned: 5, left: [] });
  expect(things.store.size).toBe(0);
});

test('a resource that cannot be removed stays in the journal, with the reason', async () => {
  things.store.set('1', { id: '1', name: 'stubborn' });
  things.intercept = (request, response) =>
    request.method === 'DELETE' &&
    Boolean(
      response.writeHead(400, { 'content-type': 'application/problem+json' }).end('{"detail":"Thing 1 is\\nin use."}'),
    );
  const journal = open();
  await journal.acknowledge(await journal.intend(thing('stubborn')), '1');
  await journal.close();
  const report = await clean();
  expect(report).toEqual({
    created: 1,
    removed: 0,
    cleaned: 0,
    gone: 0,
    left: [
      { kind: 'POST /things', id: '1', status: 400, reason: 'DELETE /api/things/1 returned 400: Thing 1 is in use.' },
    ],
    forgotten: 0,
    restored: [],
  });
  expect(files()).toHaveLength(1);
  things.intercept = () => false;
  expect(await clean()).toMatchObject({ removed: 1, left: [] });
});

test.each([
  [409, { forgotten: 2, left: [{ id: '1', status: 409 }, { kind: 'order' }] }, 0],
  [401, { forgotten: 0, left: [{ id: '1', status: 401 }, { kind: 'order' }] }, 1],
])('what cannot be removed can be forgotten, but not where the answer is %i', async (status, report, journals) => {
  things.store.set('1', { id: '1', name: 'stubborn' });
  things.intercept = ({ method }, response) => method === 'DELETE' && Boolean(response.writeHead(status).end());
  const journal = open();
  await journal.acknowledge(await journal.intend(thing('stubborn')), '1');
  await journal.saveGlobal('order', []);
  await journal.close();
  expect(await clean({ forgets: true })).toMatchObject(report);
  expect(files()).toHaveLength(journals);
  expect(things.store.size).toBe(1);
});

test('what the run removed itself, or is not there any more, is not counted as cleaned', async () => {
  things.store.set('1', { id: '1', name: 'mine' });
  const journal = open();
  const entry = await journal.intend(thing('gone'));
  await journal.acknowledge(entry, '0');
  await journal.removed(entry);
  for (const id of ['1', UUID]) await journal.acknowledge(await journal.intend(thing('mine')), id);
  await journal.close();
  expect(await clean()).toMatchObject({ created: 3, removed: 3, cleaned: 1, gone: 1 });
});

test('a deletion that succeeds without effect is reported', async () => {
  things.store.set('1', { id: '1', name: 'ghost' });
  things.intercept = (request, response) => request.method === 'DELETE' && Boolean(response.writeHead(200).end());
  const journal = open();
  await journal.acknowledge(await journal.intend(thing('ghost')), '1');
  await journal.close();
  expect((await clean()).left[0]?.reason).toContain('but GET /things still returns it');
  expect(files()).toHaveLength(1);
});

test('an item that is listed although its removal was served is removed again', async () => {
  const journal = open();
  for (const id of ['a', 'b']) {
    things.store.set(id, { id, name: id });
    await journal.acknowledge(await journal.intend(thing(id)), id);
  }
  const entry = await journal.intend(thing('c'));
  await journal.acknowledge(entry, 'c');
  await journal.removed(entry);
  things.store.set('c', { id: 'c', name: 'c' });
  await journal.close();
  expect(await clean()).toMatchObject({ created: 3, removed: 3, cleaned: 3, left: [] });
  expect(things.store.size).toBe(0);
});

test.each(['1', undefined])('an item is counted once where its body was refused before (id: %s)', async (id) => {
  things.store.set('1', { id: '1', name: 'assay-r1-n1' });
  const journal = open();
  await journal.refused(await journal.intend(thing('assay-r1-n1')));
  const entry = await journal.intend(thing('assay-r1-n1'));
  if (id !== undefined) await journal.acknowledge(entry, id);
  await journal.close();
  expect(await clean()).toMatchObject({ created: 1, removed: 1, left: [] });
  expect(things.store.size).toBe(0);
});

test('an item with another name than at first is removed again, through a form that removes it', async () => {
  const [list, create, remove] = THINGS.operations;
  if (list === undefined || create === undefined || remove === undefined) throw new Error('no things');
  const forms = ['/none', '/api'].map((name) => ({ name, path: `${name}/things/{id}`, pointer: '' }));
  const contract = contractOf(list, create, { ...remove, forms });
  for (const id of ['a', 'b']) things.store.set(id, { id, name: `assay-r1-n${id}` });
  things.intercept = ({ url = '' }, response) => url.startsWith('/none') && Boolean(response.writeHead(200).end());
  const journal = open();
  await journal.intend(thing('assay-r1-nb'));
  const entry = await journal.intend({ ...thing('assay-r1-n1'), form: '/none' });
  await journal.acknowledge(entry, 'a');
  await journal.removed(entry);
  await journal.close();
  expect(await cleanUp(target, contract, left(), { settleMs: 20 })).toMatchObject({ created: 2, removed: 2, left: [] });
  expect(things.store.size).toBe(0);
});

test('an unreachable target is given up, and its journal stays', async () => {
  const journal = open();
  for (let i = 0; i < 30; i++) await journal.acknowledge(await journal.intend(thing(`t${i}`)), String(i));
  await journal.close();
  const journals = left();
  await things.close();
  expect((await cleanUp(target, THINGS, journals, { settleMs: 20 })).left).toHaveLength(30);
});

test('the first saved value is restored, once', async () => {
  const journal = open();
  await journal.saveGlobal('order', ['a', 'b']);
  await journal.saveGlobal('order', ['b', 'a']);
  await journal.close();
  expect(await clean()).toMatchObject({ left: [{ kind: 'order' }], restored: [] });
  const seen: unknown[] = [];
  const restore = (name: string, value: unknown) => {
    seen.push([name, value]);
    return Promise.resolve(undefined);
  };
  expect(await clean({ restore })).toMatchObject({ left: [], restored: ['order'] });
  expect(seen).toEqual([['order', ['a', 'b']]]);
  expect(files()).toEqual([]);
});

test('journals of a running process, of another target, and of another clean-up are skipped', async () => {
  const journal = open('alive');
  await journal.intend(thing('a'));
  const other = open('r1', 'http://other.example');
  await other.intend(thing('b'));
  await other.close();
  expect(readJournals({ dir, baseUrl: things.url })).toEqual([]);
  const mine = left('alive');
  expect(mine).toHaveLength(1);
  writeFileSync(`${mine[0]?.path}.claim`, JSON.stringify({ host: mine[0]?.header.owner.host, pid: process.pid }));
  const nothing = { created: 0, removed: 0, cleaned: 0, gone: 0, left: [], forgotten: 0, restored: [] };
  expect(await cleanUp(target, THINGS, mine, {})).toEqual(nothing);
  await journal.close();
});

test('a line that a crash cut off is ignored', async () => {
  things.store.set('1', { id: '1', name: 'whole' });
  const journal = open();
  await journal.acknowledge(await journal.intend(thing('whole')), '1');
  await journal.close();
  writeFileSync(left()[0]?.path ?? '', '{"type":"intend","number":2,"int', { flag: 'a' });
  expect(await clean()).toMatchObject({ created: 1, removed: 1, left: [] });
});

test('concurrent entries are all written, and each process has its own journal', async () => {
  const journal = open();
  const entries = await Promise.all(Array.from({ length: 500 }, (_, index) => journal.intend(thing(`n${index}`))));
  expect(new Set(entries.map((entry) => entry.number)).size).toBe(500);
  const second = open();
  await second.intend(thing('other'));
  const sizes = left().map((each) => each.ledger.pending.size);
  expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 500]);
  await Promise.all([journal.close(), second.close()]);
});

test.each([50, 200])(
  'after kill -9 (%i ms after the first creations) everything is removed, and nothing else',
  async (ms) => {
    things.store.set('theirs', { id: 'theirs', name: 'of another' });
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, '../testing/crashing-run.ts'), things.url, dir],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const exit = once(child, 'exit');
    while (things.store.size < 2 && child.exitCode === null) await delay(10);
    await delay(ms);
    child.kill('SIGKILL');
    await exit;
    await delay(50);
    expect(things.store.size).toBeGreaterThan(1);
    const journals = readJournals({ dir, baseUrl: things.url });
    const options = { settleMs: 100, restore: () => Promise.resolve(undefined) };
    const report = await cleanUp(target, THINGS, journals, options);
    expect(report).toMatchObject({ left: [], restored: ['order'] });
    expect([...things.store.keys()]).toEqual(['theirs']);
    expect(existsSync(journals[0]?.path ?? '')).toBe(false);
  },
);

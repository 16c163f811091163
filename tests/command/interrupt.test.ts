import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyDirectory, runAssay, serve, startAssay, summaryIn } from './run-assay.ts';
import type { Running, Served } from './run-assay.ts';

let service: Served;
beforeAll(async () => {
  service = await serve();
});
afterAll(() => service.stop());

const LISTS = [
  '/api/v1/accesscontrolpolicies?take=1000',
  '/api/v1/accesscontrolpolicies/byprocessingorder',
  '/api/v1/aiagent',
  '/api/v1/aijob',
];

/** All that a run could have left behind. */
async function holdings(): Promise<string> {
  const texts = await Promise.all(
    LISTS.map(async (path) =>
      (await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${service.tokens.full}` } })).text(),
    ),
  );
  return createHash('sha256').update(texts.join('\n')).digest('hex');
}

interface Started {
  readonly running: Running;
  readonly cwd: string;
  readonly state: string;
}

/** True once a run has written to its journal what it is about to create. */
function intends(state: string): boolean {
  const files = readdirSync(state, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.some(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').includes('"intend"'));
}

async function verifyUntilItWrites(): Promise<Started> {
  const before = await holdings();
  const [cwd, state] = [emptyDirectory(), emptyDirectory()];
  const running = startAssay(['verify', '--base-url', service.baseUrl, '--only', 'state/lifecycle'], {
    cwd,
    env: { ...service.env, XDG_STATE_HOME: state },
  });
  // Runs of jobs of an earlier test may change the lists too.
  while (running.child.exitCode === null && !(intends(state) && (await holdings()) !== before)) await delay(50);
  return { running, cwd, state };
}

it('Ctrl-C removes what was made, writes the reports and ends with 130', async () => {
  const before = await holdings();
  const { running, cwd } = await verifyUntilItWrites();
  running.child.kill('SIGINT');
  const { code } = await running.ended;
  expect(code).toBe(130);
  expect(summaryIn(join(cwd, 'assay-report'))).toMatchObject({ verdict: 'interrupted' });
  expect(await holdings()).toBe(before);
});

it('Ctrl-C before the first test begins no test', async () => {
  const running = startAssay(['verify', '--only', 'state'], { cwd: emptyDirectory() });
  await running.line(/^assay verify/u);
  running.child.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toContain('INTERRUPTED');
  expect(stdout).toMatch(/^(?:Tests: .* · )?0 requests · /mu);
});

it('a closed pipe does not end the run: it removes what was made, writes the reports and ends with its exit code', async () => {
  const before = await holdings();
  const { running, cwd } = await verifyUntilItWrites();
  running.child.stdout?.destroy();
  expect((await running.ended).code).toBe(0);
  expect(summaryIn(join(cwd, 'assay-report'))).toMatchObject({ verdict: 'passed' });
  expect(await holdings()).toBe(before);
});

it('a second Ctrl-C ends at once', async () => {
  const { running, state } = await verifyUntilItWrites();
  running.child.kill('SIGINT');
  await running.line(/Interrupted/u);
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
  await runAssay(['clean', '--base-url', service.baseUrl], { env: { ...service.env, XDG_STATE_HOME: state } });
});

it('after kill -9, clean removes what was left, and the log can still be read', async () => {
  const before = await holdings();
  const { running, cwd, state } = await verifyUntilItWrites();
  running.child.kill('SIGKILL');
  await running.ended;
  const env = { ...service.env, XDG_STATE_HOME: state };
  const { code, stdout } = await runAssay(['clean', '--base-url', service.baseUrl], { env });
  expect(stdout).toMatch(/\d+ removed, 0 left/u);
  expect(code).toBe(0);
  expect(await holdings()).toBe(before);
  expect((await runAssay(['clean', '--base-url', service.baseUrl], { env })).stdout).toContain(
    'Nothing to remove: no journal in ',
  );
  expect((await runAssay(['report', join(cwd, 'assay-report')])).code).toBe(130);
  expect(existsSync(join(cwd, 'assay-report/summary.json'))).toBe(true);
});

it('prove starts nothing more once it is interrupted', async () => {
  const running = startAssay(['prove']);
  await running.line(/defects and .* seed/u);
  running.child.kill('SIGTERM');
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).not.toMatch(/^[✓✗]/mu);
});

interface OrderEntry {
  readonly id: string;
}

/** Sends one request to the processing order; returns its entries. */
async function order(path: string, entries?: readonly OrderEntry[]): Promise<readonly OrderEntry[]> {
  const response = await fetch(`${service.baseUrl}/api/v1/accesscontrolpolicies/${path}`, {
    method: entries === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${service.tokens.full}`, 'content-type': 'application/json' },
    ...(entries === undefined ? {} : { body: JSON.stringify(entries) }),
  });
  return entries === undefined ? ((await response.json()) as readonly OrderEntry[]) : [];
}

it('an order that others set during a run is not undone', async () => {
  const before = (await order('byprocessingorder')).map(({ id }) => id);
  expect(before.length).toBeGreaterThan(1);
  const state = emptyDirectory();
  const running = startAssay(
    ['verify', '--base-url', service.baseUrl, '--only', 'state/order', '--allow', 'read,reversible,global'],
    { cwd: emptyDirectory(), env: { ...service.env, XDG_STATE_HOME: state } },
  );
  const hasSavedOrder = () =>
    readdirSync(state, { recursive: true, encoding: 'utf8' }).some(
      (name) => name.endsWith('.ndjson') && readFileSync(join(state, name), 'utf8').includes('"type":"save"'),
    );
  while (!hasSavedOrder()) await delay(20);
  const wanted = before.toReversed();
  const ofOthers = (entries: readonly OrderEntry[]) => entries.filter(({ id }) => before.includes(id));
  let turns = 0;
  for (; running.child.exitCode === null; await delay(20)) {
    const now = await order('byprocessingorder');
    // Without policies of the run, it sets no order any more, except to restore one.
    if (now.length === before.length || ofOthers(now).every(({ id }, at) => id === wanted[at])) continue;
    const turned = ofOthers(now).toSorted((a, b) => wanted.indexOf(a.id) - wanted.indexOf(b.id));
    const next = now.map((each) => (before.includes(each.id) ? (turned.shift() ?? each) : each));
    await order('setprocessingorder', next);
    turns += 1;
  }
  // Inconclusive where the tests are skipped, because others set the order.
  expect((await running.ended).code).toBeOneOf([0, 6]);
  expect(turns).toBeGreaterThan(0);
  expect((await order('byprocessingorder')).map(({ id }) => id)).toEqual(wanted);
});

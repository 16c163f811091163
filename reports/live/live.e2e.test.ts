import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../spec/index.ts';
import { hasBrowser, newPage, useBrowser } from '../testing/browser.ts';
import type { Opened } from '../testing/browser.ts';
import { sampleLoad } from '../testing/sample-load.ts';
import { sampleRun, sampleStart, sampleTest } from '../testing/sample-run.ts';
import { viewOf } from '../view.ts';
import { writeReports } from '../formats/index.ts';
import { openLivePage } from './server.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

useBrowser();

async function open(url: string): Promise<Opened> {
  const opened = await newPage();
  await opened.page.goto(url);
  return opened;
}

const CHECKS = 30;

/** A run with so many operations; each test is of one of them. */
function largeRun(operations: number): { readonly head: readonly RunRecord[]; readonly tests: readonly RunRecord[] } {
  const ids = Array.from({ length: operations }, (_, index) => `GET /resources/${index}`);
  const head = ids.map((id): RunRecord => ({
    type: 'operation',
    id,
    forms: ['/api', '/api/v1'],
    section: '',
    effect: 'read',
  }));
  const checks = Array.from({ length: CHECKS }, (_, index) => `check-${index}`);
  const tests = ids.map((id): RunRecord => ({
    ...sampleTest(0, false),
    name: `large > ${id}`,
    operation: id,
    checks,
    findings: [],
  }));
  return { head: [sampleStart(), ...head], tests };
}

describe('the address of the page', () => {
  it('opens it once, on this host, and aborts only from the page itself', async () => {
    let aborted = 0;
    const live = await openLivePage(() => (aborted += 1));
    const { origin } = new URL(live.url);
    expect((await fetch(origin)).status).toBe(403);
    expect((await fetch(`${origin}/?token=${'0'.repeat(32)}`)).status).toBe(403);
    expect((await fetch(`${origin}/?token=${'é'.repeat(32)}`)).status).toBe(403);
    expect((await fetch(`${origin}//`)).status).toBe(403);
    const first = await fetch(live.url, { redirect: 'manual' });
    const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect(first.status).toBe(303);
    expect((await fetch(live.url, { redirect: 'manual' })).status).toBe(403);
    expect((await fetch(origin, { headers: { cookie } })).status).toBe(200);
    expect((await fetch(`${origin}/abort`, { method: 'POST', headers: { cookie } })).status).toBe(404);
    const foreign = { cookie, origin: 'http://elsewhere.example' };
    expect((await fetch(`${origin}/abort`, { method: 'POST', headers: foreign })).status).toBe(404);
    expect(aborted).toBe(0);
    expect((await fetch(`${origin}/abort`, { method: 'POST', headers: { cookie, origin } })).status).toBe(202);
    expect(aborted).toBe(1);
    await live.close();
  });
});

/** The sample load run with a part, whose threshold its last second misses. */
function withParts(record: RunRecord): RunRecord {
  if (record.type === 'run-start') return { ...record, options: { thresholds: ['p99{ingestion}<0.2s'] } };
  if (record.type === 'scenario') return { ...record, thresholds: [{ ...SLOW_PART, value: 300, held: false }] };
  if (record.type !== 'tick') return record;
  const latencyMs = { ...record.latencyMs, p99: 300 };
  const ingestion = { part: 'ingestion', operation: 'POST /clue', requests: 9, statuses: {}, errors: {}, latencyMs };
  return { ...record, parts: [ingestion, { ...ingestion, part: 'paging', operation: 'GET /clue' }] };
}

const SLOW_PART = { expression: 'p99{ingestion}<0.2s', metric: 'p99', limit: 200 };

describe.skipIf(!hasBrowser)('the live page in a browser', () => {
  it('charts a search for the capacity while it runs, and links to the report after the end', async () => {
    let aborted = 0;
    const live = await openLivePage(() => (aborted += 1));
    const records = sampleRun();
    for (const record of records.slice(0, 1)) live.record(record);
    const { page, trouble } = await open(live.url);
    const latencyMs = { p50: 1, p90: 2, p95: 2, p99: 3, p99_9: 4, max: 5 };
    const step = { offeredRate: 70, rate: 69, held: true, latencyMs, reason: 'probe: held' };
    const figures = { scenario: 'paging', offeredRate: 100, rate: 99, errors: 0, inFlight: 1, p50: 1, p99: 2 };
    for (const steps of [[], [step]]) {
      live.live({ load: { ...figures, steps } });
      await sleep(1100);
    }
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Abort' }).click();
    expect([aborted, await page.getByRole('button', { name: 'Abort' }).isEnabled()]).toEqual([0, true]);
    expect(await page.locator('.live-chart').count()).toBe(3);
    expect(await page.getByRole('row').last().textContent()).toContain('probe: held');
    const files = await writeReports(viewOf(records), ['html'], emptyDirectory());
    live.end(viewOf(records).summary, files);
    await live.close();
    const [report] = await Promise.all([page.waitForEvent('popup'), page.getByText('Open the report').click()]);
    await report.locator('body.js').waitFor();
    expect(await page.getByRole('button', { name: 'Abort' }).isEnabled()).toBe(false);
    expect(trouble).toEqual([]);
    await page.close();
  });

  it('keeps up with 1,200 operations at ten updates per second, and is answered while they come', async () => {
    const live = await openLivePage();
    const { head, tests } = largeRun(1200);
    for (const record of head) live.record(record);
    const { page, trouble } = await open(live.url);
    for (let at = 0; at < tests.length; at += 40) {
      for (const record of tests.slice(at, at + 40)) live.record(record);
      live.live({ doing: 'large', share: at / tests.length, leftSeconds: 3 });
      await sleep(100);
    }
    await page.getByText('1,200', { exact: true }).first().waitFor();
    expect(await page.locator('#rows div').count()).toBe(1200);
    expect(await page.locator('#checks span').count()).toBe(CHECKS);
    await page.locator('#cells').hover({ position: { x: 20, y: 20 } });
    await page.getByText('GET /resources/1 · check-1 · passed').waitFor();
    const findings = sampleRun({ findings: 1 }).flatMap((record) => (record.type === 'test' ? record.findings : []));
    const [, second] = tests;
    if (second?.type === 'test') live.record({ ...second, verdict: 'failed', findings });
    await page.getByText('1 finding so far').waitFor();
    await page.locator('#cells').hover({ position: { x: 21, y: 20 } });
    await page.getByText('GET /resources/1 · check-1 · stopped at a finding of another operation').waitFor();
    expect(trouble).toEqual([]);
    await page.close();
    await live.close();
  });

  it('shows findings by kind, the verdict, and a finished load run', async () => {
    const records = sampleRun({ findings: 3, hostile: '</script><img src=x onerror="globalThis.hacked=1">' });
    const live = await openLivePage();
    for (const record of [...records, ...sampleLoad()]) live.record(withParts(record));
    const { summary } = viewOf(records);
    const [one = '', two = '', three = ''] = summary.findings.map(({ fingerprint }) => fingerprint);
    const groups = [
      { lead: three, same: [one], related: [] },
      { lead: two, same: [], related: [] },
    ];
    live.end({ ...summary, groups }, ['assay-report/summary.json']);
    const { page, trouble } = await open(live.url);
    await page.locator(`#findings > [data-id="${three}"] [data-id="${one}"]`).waitFor();
    expect(await page.locator('#findings > li').count()).toBe(2);
    const scenario = sampleLoad().find((record) => record.type === 'tick')?.scenario ?? '';
    const zones = [{ zone: 'eu-west', agents: 2, offeredRate: 70, rate: 69 }];
    const figures = { scenario, offeredRate: 100, rate: 99, errors: 0, inFlight: 1, p50: 1, p99: 2 };
    live.live({ load: { ...figures, fleet: { agents: 2, of: 3, zones } } });
    await page.locator('#findings summary').first().click();
    expect(await page.locator('#findings li').first().textContent()).toContain('curl -sS');
    expect(await page.locator('#state').textContent()).toBe('failed');
    expect(await page.locator('#files').textContent()).toBe('Reports: assay-report/summary.json');
    expect(await page.locator('.live-chart').count()).toBeGreaterThan(2);
    expect(await page.getByRole('article').filter({ hasText: 'eu-west' }).textContent()).toMatch(
      /agents2 of 3.*eu-west270\/s69\/s/u,
    );
    expect(await page.getByRole('row').filter({ hasText: 'ingestion' }).textContent()).toContain('threshold 200 ms');
    expect(await page.locator('.live-table .t-failed').count()).toBe(1);
    live.live({ load: { ...figures, scenario: 'running', thresholds: ['p99<500', 'errors<1%'] } });
    await page.getByText('Thresholds: p99<500, errors<1%').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(trouble).toEqual([]);
    await page.close();
    await live.close();
  });
});

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../spec/index.ts';
import { hasBrowser, newPage, useBrowser } from '../../testing/browser.ts';
import type { Opened } from '../../testing/browser.ts';
import { sampleLoad } from '../../testing/sample-load.ts';
import { sampleRun } from '../../testing/sample-run.ts';
import { viewOf } from '../../view.ts';
import { writeReports } from '../index.ts';
import { emptyDirectory } from '../../../spec/testing/empty-directory.ts';

const HOSTILE =
  '</script><script>globalThis.hacked=1</script><img src="http://127.0.0.1:9/leak" onerror="globalThis.hacked=2">"\' onfocus=alert(1) autofocus <!-- ]]> \u0000\u202e javascript:alert(3) <svg/onload=globalThis.hacked=4>';

const dir = emptyDirectory();
useBrowser();

/** Opens the page of a run, which may neither open a dialog nor ask anything of the network. */
async function open(records: readonly RunRecord[], options: { hash?: string; width?: number } = {}): Promise<Opened> {
  const [file = ''] = await writeReports(viewOf(records), ['html'], mkdtempSync(join(dir, 'run-')));
  const { page, trouble } = await newPage(options.width);
  page.on('dialog', (dialog) => trouble.push(`dialog ${dialog.message()}`));
  page.on('request', (request) => !request.url().startsWith('file:') && trouble.push(request.url()));
  await page.goto(`file://${file}${options.hash ?? ''}`);
  return { page, trouble };
}

describe.skipIf(!hasBrowser)('the page in a browser', () => {
  it('runs nothing of a target and asks nothing of the network', async () => {
    const { page, trouble } = await open(sampleRun({ hostile: HOSTILE, findings: 3 }));
    await page.locator('#tests').scrollIntoViewIfNeeded();
    await page.locator('#rows li').first().waitFor();
    await page.locator('#rows summary').nth(40).click();
    await page.keyboard.press('j');
    await page.locator('article.shown').waitFor();
    expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
    expect(await page.locator('img, iframe, object, embed').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(2);
    expect(trouble).toEqual([]);
    expect(await page.locator('article.shown h2').textContent()).toContain('<script>globalThis.hacked=1</script>');
    await page.close();
  });

  it('shows the verdict first, and each finding as a page of its own', async () => {
    const { page, trouble } = await open(sampleRun({ findings: 3 }));
    expect(await page.locator('h1').textContent()).toContain('1 requirement violated');
    expect(await page.locator('article.finding:visible').count()).toBe(0);
    await page.locator('.finding-list a').first().click();
    const shown = page.locator('article.shown');
    await shown.waitFor();
    expect(await page.locator('#verdict:visible').count()).toBe(0);
    for (const part of ['20 items', 'curl -sS', 'assay verify --seed', 'make a policy', 'ask for the first page'])
      expect(await shown.textContent()).toContain(part);
    expect(await shown.locator('.exchange[open] pre mark').textContent()).toContain('0b1c8b3e');
    expect(await shown.locator('.facing mark').count()).toBeGreaterThan(0);
    await page.goBack();
    await page.locator('#verdict').waitFor();
    expect(trouble).toEqual([]);
    await page.close();
  });

  it('is used by keyboard', async () => {
    const [start, ...records] = sampleRun({ findings: 3 });
    const at = records.findIndex(({ type }) => type === 'test');
    const checked = records.map((record, index) =>
      index === at && record.type === 'test' ? { ...record, checks: [...record.checks, 'chain-of-a-test'] } : record,
    );
    const { page } = await open([...(start ? [start] : []), ...checked]);
    await page.keyboard.press('j');
    await page.locator('article.shown').waitFor();
    expect(await page.locator('.side a[aria-current="true"]').textContent()).toContain('Findings');
    const first = await page.locator('article.shown').getAttribute('id');
    await page.keyboard.press('j');
    await page.locator(`article.shown:not([id="${first}"])`).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#verdict').waitFor();
    await page.keyboard.press('m');
    await page.keyboard.press('ArrowDown');
    await page.locator('#inspector').filter({ hasText: 'POST /accesscontrolpolicies' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#cell:visible').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing-like-this');
    await page.getByText('No tests match.').waitFor();
    await page.locator('#cell').click();
    await page.locator('#find').fill('chain-of-a-test');
    await page.locator('#rows summary').filter({ hasText: 'GET /accesscontrolpolicies' }).first().waitFor();
    expect(await page.locator('#rows li').count()).toBe(1);
    await page.close();
  });

  it('shows what failed for a square of the matrix, of its own operation only', async () => {
    const { page } = await open(sampleRun({ findings: 3 }));
    const square = page.locator('#matrix td.a-failed, #matrix td.b-failed').last();
    const operation = (await square.locator('..').getAttribute('data-operation')) ?? '';
    await square.click();
    await page.locator('#rows details.failed[open] a').first().waitFor();
    const names = await page.locator('#rows .n').allTextContents();
    expect(names.filter((name) => !name.includes(` > ${operation} > `) && !name.includes(`${operation} > `))).toEqual(
      [],
    );
    await page.locator('#rows details.failed a').first().click();
    await page.locator('article.shown').waitFor();
    await page.close();
  });

  it('says what a square is, also where nothing was tested, below what is in sight', async () => {
    const [start, ...records] = sampleRun({ findings: 1 });
    const stopped = records.map((record) =>
      record.type === 'test' && record.operation === 'GET /aijob' && record.verdict === 'passed'
        ? {
            ...record,
            verdict: 'failed' as const,
            findings: records.flatMap((each) => (each.type === 'test' ? each.findings : [])),
          }
        : record,
    );
    const { page } = await open([...(start ? [start] : []), ...stopped]);
    const words = 'stopped at a finding of another operation';
    const inspector = page.locator('#inspector');
    expect(await page.evaluate('getComputedStyle(inspector).backgroundColor')).toBe('rgba(0, 0, 0, 0)');
    await page.getByRole('cell', { name: words }).first().hover();
    await inspector.filter({ hasText: words }).waitFor();
    await page.locator('#matrix td:not([class])').first().hover();
    await inspector.filter({ hasText: /· not tested$/u }).waitFor();
    await page
      .locator('#matrix td[class]')
      .first()
      .evaluate((cell) => cell.scrollIntoView({ block: 'end' }));
    const box = await inspector.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
    await page.close();
  });

  it('opens the section of a requirement that a link names', async () => {
    const { page } = await open(sampleRun(), { hash: '#requirement-paging-default.holds' });
    await page.locator('[id="requirement-paging-default.holds"]:visible').waitFor();
    await page.close();
  });

  it('copies the curl line', async () => {
    const { page } = await open(sampleRun({ findings: 1 }));
    await page.keyboard.press('j');
    await page.locator('article.shown').waitFor();
    await page.keyboard.press('c');
    await page.getByText('Copied').first().waitFor();
    await page.keyboard.press('/');
    await page.locator('#find:focus').waitFor();
    await page.keyboard.press('Control+V');
    const line = await page.locator('article.finding .copy code').first().textContent();
    expect(line).toContain('curl -sS');
    expect(await page.locator('#find').inputValue()).toBe(line?.replaceAll('\n', ''));
    await page.close();
  });

  it('shows where a table continues beside a small screen', async () => {
    const { page } = await open(sampleLoad(), { width: 390 });
    const images =
      '[...document.querySelectorAll(".figures-table")].map((one) => getComputedStyle(one).backgroundImage)';
    const found = await page.evaluate<string[]>(images);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((image) => !image.includes('linear-gradient'))).toEqual([]);
    await page.close();
  });

  it('fits a phone, in light and dark', async () => {
    const { page } = await open(sampleRun({ findings: 3, hostile: 'x'.repeat(3000) }), { width: 390 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    }
    const ends = 'document.querySelectorAll(".matrix .name span:last-child")';
    expect(await page.evaluate(`[...${ends}].every((end) => end.clientWidth >= Math.min(end.scrollWidth, 90))`)).toBe(
      true,
    );
    await page.keyboard.press('j');
    await page.locator('article.shown').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.close();
  });

  it('prints the findings too', async () => {
    const { page } = await open(sampleRun({ findings: 3 }));
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('article.finding:visible').count()).toBe(3);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    await page.close();
  });

  it('draws what a load run measured', async () => {
    const { page, trouble } = await open(sampleLoad());
    expect(await page.locator('figure.chart').count()).toBe(7);
    expect(await page.locator('svg path.line').count()).toBeGreaterThan(8);
    expect(await page.content()).not.toContain('NaN');
    expect(await page.locator('.scenario h2').first().textContent()).toContain('open model');
    const latency = page.locator('svg[data-points]:has(path.dashed)').first().locator('path.line:not(.ghost)');
    expect(await latency.first().getAttribute('class')).toContain('dashed');
    expect(await latency.last().getAttribute('class')).toBe('line k2');
    const chart = page.locator('svg[data-points]').first();
    await chart.hover();
    await page.locator('.readout').filter({ hasText: 'p99' }).first().waitFor();
    expect(trouble).toEqual([]);
    await page.close();
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyDirectory, runAssay, summaryIn } from './run-assay.ts';

interface Result {
  readonly status: string;
  readonly historyId: string;
  readonly labels: readonly { readonly name: string; readonly value: string }[];
}

function resultsIn(cwd: string): readonly Result[] {
  const dir = join(cwd, 'assay-report/allure-results');
  return readdirSync(dir)
    .filter((name) => name.endsWith('-result.json'))
    .map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as Result)
    .toSorted((a, b) => a.historyId.localeCompare(b.historyId));
}

/** What Allure groups and counts by; where and when a test ran may differ. */
const essence = ({ status, historyId, labels }: Result): unknown => {
  const names = ['epic', 'feature', 'story', 'severity', 'suite', 'tag'];
  return { status, historyId, labels: labels.filter(({ name }) => names.includes(name)) };
};

it('allure-vitest reports a running suite as the log of the run is rendered', async () => {
  const cwd = emptyDirectory();
  const { code } = await runAssay(['verify', '--only', 'GET /aijobskills', '--report', 'allure'], { cwd });
  expect(code).toBe(0);
  const { totals } = summaryIn(join(cwd, 'assay-report'));
  const live = resultsIn(cwd);
  expect(live).toHaveLength(totals.passed + totals.failed + totals.skipped);
  expect(live.some(({ labels }) => labels.some(({ name }) => name === 'thread'))).toBe(true);
  await runAssay(['report', 'assay-report', '--report', 'allure'], { cwd });
  const rendered = resultsIn(cwd);
  expect(rendered.some(({ labels }) => labels.some(({ name }) => name === 'thread'))).toBe(false);
  expect(rendered.map(essence)).toEqual(live.map(essence));
});

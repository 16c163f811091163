/** Time to write and to open the HTML report of a run with many results. Usage: tsx bench/report-html.ts [RESULTS] [ROUNDS] */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { median } from '../load/compare/statistics.ts';
import { viewOf, writeReports } from '../reports/index.ts';
import { sampleRun } from '../reports/testing/sample-run.ts';

const results = Number(process.argv[2] ?? 5000);
const rounds = Number(process.argv[3] ?? 5);
const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const view = viewOf(sampleRun({ tests: results, findings: 25 }));

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
const [written, ready, painted]: [number[], number[], number[]] = [[], [], []];
let size = 0;
for (let round = 0; round < rounds; round += 1) {
  const began = performance.now();
  const [file = ''] = await writeReports(view, ['html'], dir);
  written.push(performance.now() - began);
  size = statSync(file).size;
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`file://${file}`);
  const times = await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => setTimeout(() => done([performance.getEntriesByType('navigation')[0].loadEventEnd, performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now()]))))",
  );
  if (Array.isArray(times)) {
    ready.push(Number(times[0]));
    painted.push(Number(times[1]));
  }
  await page.close();
}
await browser.close();
rmSync(dir, { recursive: true, force: true });
console.log(
  `${results} results, ${(size / 1024).toFixed(0)} KB: written in ${median(written).toFixed(0)} ms, first paint after ${median(painted).toFixed(0)} ms, loaded after ${median(ready).toFixed(0)} ms (median of ${rounds})`,
);

// Makes the pictures of the README: the report of a real run against a service with defects, light and dark.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const main = join(root, 'dist', 'cli', 'main.js');
const pictures = join(root, 'docs', 'images');
const faults = ['--fault', 'lost-update-by-activation', '--fault', 'status-202 POST /aijob'];

const out = mkdtempSync(join(tmpdir(), 'assay-picture-'));
const service = spawn(process.execPath, [main, 'serve', '--json', ...faults], { stdio: ['ignore', 'pipe', 'inherit'] });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const line = await new Promise((resolve) => createInterface({ input: service.stdout }).once('line', resolve));
  const { baseUrl, tokens } = JSON.parse(line);
  const env = {
    ...process.env,
    ASSAY_TOKEN: tokens.full,
    ASSAY_LIMITED_TOKEN: tokens.limited,
    ASSAY_EXPIRED_TOKEN: tokens.expired,
  };
  const words = [
    'verify',
    '--base-url',
    baseUrl,
    '--allow',
    'all',
    '--seed',
    '7',
    '--budget',
    '5m',
    '--quiet',
    '--out',
    out,
  ];
  spawnSync(process.execPath, [main, ...words], { env, stdio: 'inherit' });
  mkdirSync(pictures, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1400, height: 1500 } });
    await page.goto(pathToFileURL(join(out, 'report.html')).href);
    // WebP, which Playwright does not offer, is small enough for the package.
    const devtools = await page.context().newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
    writeFileSync(join(pictures, `report-${colorScheme}.webp`), data, 'base64');
    await page.close();
  }
} finally {
  await browser.close();
  service.kill();
  rmSync(out, { recursive: true, force: true });
}

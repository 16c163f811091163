import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const hasBrowser = existsSync(CHROMIUM);
if (!hasBrowser) console.info(`No browser at ${CHROMIUM}: no page is opened. Name one with CHROMIUM=…`);

let browser: Browser;

/** Has a browser as long as the tests of a file run. */
export function useBrowser(): void {
  if (!hasBrowser) return;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser.close());
}

export interface Opened {
  readonly page: Page;
  /** What the page logged as an error or threw. */
  readonly trouble: string[];
}

/** A page that has opened nothing yet. */
export async function newPage(width = 1280): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  const trouble: string[] = [];
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(error.message));
  return { page, trouble };
}

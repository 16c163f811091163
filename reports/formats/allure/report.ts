import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AllureReport } from '@allurereport/core';
import type AwesomePlugin from '@allurereport/plugin-awesome';
import type { ReportView } from '../../view.ts';

const HISTORY = 'allure-history.jsonl';
const RUNS = 50;
const ANALYTICS =
  /<script async src="https:\/\/www\.googletagmanager\.com[^>]*><\/script>\s*<script>\s*window\.dataLayer[\s\S]*?<\/script>/;
/** Keeps the page off the network, whatever a later version of the plugin adds. */
const POLICY =
  "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src data: blob:; form-action 'none'";

/** Writes the page, with the history beside it; undefined where its optional packages are not installed. */
export async function writeAllureReport(view: ReportView, results: string, out: string): Promise<string | undefined> {
  const packages = await load();
  if (packages === undefined) return undefined;
  const { Report, Plugin } = packages;
  const path = join(out, 'allure-report.html');
  rmSync(path, { force: true });
  const scratch = mkdtempSync(join(tmpdir(), 'assay-allure-'));
  writeFileSync(join(scratch, 'placeholder'), ''); // the history is written only if the output holds a file
  const name = `Assay ${view.summary.command} · ${view.summary.spec.title}`;
  const historyPath = join(out, HISTORY);
  const label = `${name} · ${view.summary.startedAt.replace(/\.\d+Z$/, 'Z')}`;
  const isKnown =
    existsSync(historyPath) && readFileSync(historyPath, 'utf8').includes(JSON.stringify(label).slice(1, -1));
  try {
    const report = new Report({
      name: label,
      output: scratch,
      open: false,
      port: undefined,
      historyPath,
      historyLimit: RUNS,
      appendHistory: !isKnown,
      reportFiles: {
        addFile: (file: string, data: Buffer) => {
          if (file.endsWith('index.html')) writeFileSync(path, offline(data.toString('utf8')));
          return Promise.resolve(file);
        },
      },
      plugins: [
        {
          id: 'awesome',
          enabled: true,
          options: {},
          plugin: new Plugin({
            singleFile: true,
            reportName: name,
            groupBy: ['epic', 'feature', 'story'],
            reportLanguage: 'en',
          }),
        },
      ],
    });
    await report.start();
    await report.readDirectory(results);
    await report.done();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return existsSync(path) ? path : undefined;
}

/** Removes the analytics script and forbids network access. */
export function offline(page: string): string {
  return page
    .replace(ANALYTICS, '')
    .replace(/<head>/i, `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
}

async function load(): Promise<{ Report: typeof AllureReport; Plugin: typeof AwesomePlugin } | undefined> {
  try {
    const [core, awesome] = await Promise.all([import('@allurereport/core'), import('@allurereport/plugin-awesome')]);
    return { Report: core.AllureReport, Plugin: awesome.default };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

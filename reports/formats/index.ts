import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../spec/make-folder.ts';
import type { ReportView } from '../view.ts';

/** Writes one format into `out`, which exists; resolves to the paths that were written. */
export type WriteFormat = (view: ReportView, out: string) => Promise<readonly string[]>;

interface Format {
  /** What it writes, and for whom. */
  readonly about: string;
  readonly file?: string;
  readonly load: () => Promise<WriteFormat>;
}

/** A format that is one file with this text; undefined: the run has nothing to write. */
function oneFile(file: string, use: string, load: () => Promise<(view: ReportView) => string | undefined>): Format {
  const write = async (): Promise<WriteFormat> => {
    const textOf = await load();
    return async (view, out) => {
      const [path, text] = [join(out, file), textOf(view)];
      if (text === undefined) return [];
      // A report that is cut would pass for a whole one.
      const draft = `${path}.part`;
      try {
        await writeFile(draft, text);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      return [path];
    };
  };
  return { about: `${file}, ${use}`, file, load: write };
}

/** Every report format: `--report` and its help follow from this map. A format is loaded when it is written. */
export const FORMATS = {
  html: oneFile('report.html', 'one page that opens offline', async () => (await import('./html/page.ts')).reportPage),
  json: oneFile('summary.json', 'for scripts', async () => (await import('./json.ts')).summaryText),
  junit: oneFile('junit.xml', 'for CI servers', async () => (await import('./junit.ts')).junitXml),
  markdown: oneFile('summary.md', 'for a pull request', async () => (await import('./markdown.ts')).markdownOf),
  github: {
    about: 'the job summary and annotations of GitHub Actions',
    file: 'summary.md',
    load: async () => (await import('./github.ts')).writeGithub,
  },
  sarif: oneFile('findings.sarif', 'for code scanning', async () => (await import('./sarif.ts')).sarifText),
  vitest: {
    about: 'vitest/, one test file per finding; each fails until the defect is fixed',
    load: async () => (await import('./vitest.ts')).writeVitest,
  },
  har: oneFile('evidence.har', 'the exchanges of the findings', async () => (await import('./har.ts')).harText),
  csv: oneFile(
    'timeseries.csv',
    'the seconds of load scenarios as a table',
    async () => (await import('./time-series.ts')).csvOf,
  ),
  ndjson: oneFile(
    'timeseries.ndjson',
    'the seconds of load scenarios, one JSON object per line',
    async () => (await import('./time-series.ts')).ndjsonOf,
  ),
  allure: {
    about: 'allure-results/, and allure-report.html, one page that opens offline',
    file: 'allure-report.html',
    load: async () => (await import('./allure.ts')).writeAllure,
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

export const REPORT_FILES: readonly string[] = Object.values<Format>(FORMATS).flatMap(({ file }) => file ?? []);

/** Writes these reports into `out` and resolves to their paths; `note` gets a line for each that has nothing to write. */
export async function writeReports(
  view: ReportView,
  names: readonly FormatName[],
  out: string,
  note: (text: string) => void = () => undefined,
): Promise<string[]> {
  makeFolder(out);
  const written = await Promise.all(names.map(async (name) => (await FORMATS[name].load())(view, out)));
  for (const [at, name] of names.entries())
    if (written[at]?.length === 0) note(`--report ${name}: nothing to write, the run has no load scenario.`);
  return [...new Set(written.flat())];
}

import { mkdir } from 'node:fs/promises';
import { AssayError, EXIT } from '../../spec/errors.ts';
import type { ReportView } from '../view.ts';

/** Writes one format into `out`, which exists; resolves to the paths that were written. */
export type WriteFormat = (view: ReportView, out: string) => Promise<readonly string[]>;

interface Format {
  /** The files that it writes, and what they are for. */
  readonly about: string;
  readonly load: () => Promise<WriteFormat>;
}

/** Every report format. The flag `--report`, its help and the reports follow from this map; a format is loaded when it is written. */
export const FORMATS = {
  html: { about: 'report.html, one page that opens offline', load: async () => (await import('./html.ts')).writeHtml },
  json: { about: 'summary.json, for scripts', load: async () => (await import('./json.ts')).writeJson },
  junit: { about: 'junit.xml, for CI servers', load: async () => (await import('./junit.ts')).writeJunit },
  markdown: {
    about: 'summary.md, for a pull request',
    load: async () => (await import('./markdown.ts')).writeMarkdown,
  },
  github: {
    about: 'the job summary and annotations of GitHub Actions',
    load: async () => (await import('./github.ts')).writeGithub,
  },
  sarif: { about: 'findings.sarif, for code scanning', load: async () => (await import('./sarif.ts')).writeSarif },
  vitest: {
    about: 'vitest/, one test file per finding; each fails until the defect is fixed',
    load: async () => (await import('./vitest.ts')).writeVitest,
  },
  har: { about: 'evidence.har, the exchanges of the findings', load: async () => (await import('./har.ts')).writeHar },
  csv: {
    about: 'timeseries.csv, the seconds of load scenarios as a table',
    load: async () => (await import('./time-series.ts')).writeCsv,
  },
  ndjson: {
    about: 'timeseries.ndjson, the seconds of load scenarios, one JSON object per line',
    load: async () => (await import('./time-series.ts')).writeNdjson,
  },
  allure: {
    about: 'allure-results/, and allure-report.html, one page that opens offline',
    load: async () => (await import('./allure.ts')).writeAllure,
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

const isFormat = (name: string): name is FormatName => Object.hasOwn(FORMATS, name);

export const FORMAT_NAMES: readonly FormatName[] = Object.keys(FORMATS).filter(isFormat);

/** Reads `html,junit` as names of formats; throws an {@link AssayError} (exit 2) for an unknown one. */
export function parseFormats(list: string): FormatName[] {
  const names = list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'console');
  return [...new Set(names)].map((name) => {
    if (isFormat(name)) return name;
    const hint = `Formats: ${FORMAT_NAMES.join(', ')}.`;
    throw new AssayError(`unknown report format "${name}"`, { hint, exitCode: EXIT.usage });
  });
}

/** Writes the reports of these formats into `out`; resolves to the paths that were written. */
export async function writeReports(view: ReportView, names: readonly FormatName[], out: string): Promise<string[]> {
  await mkdir(out, { recursive: true });
  const written = await Promise.all(names.map(async (name) => (await FORMATS[name].load())(view, out)));
  return [...new Set(written.flat())];
}

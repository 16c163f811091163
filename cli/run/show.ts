import { once } from 'node:events';
import { basename, relative } from 'node:path';
import { createConsole, createJsonConsole, createQuietConsole, knownIn, openLivePage } from '../../reports/index.ts';
import type { LivePage, RunConsole, Summary } from '../../reports/index.ts';
import type { Finding, RunRecord } from '../../spec/index.ts';
import { COMMAND } from '../command-name.ts';
import { screenColumns } from '../text/print.ts';
import type { Sinks } from './sinks.ts';

export function screenOptions(): Parameters<typeof createConsole>[0] {
  const { stdout } = process;
  return { stream: stdout, isTTY: stdout.isTTY, columns: () => screenColumns() ?? 120, command: COMMAND };
}

/** The console of a run, by --quiet, --verbose and --json. */
export function openConsole({ shows, baseline }: Pick<Sinks, 'shows' | 'baseline'>): RunConsole {
  if (shows === 'json') return createJsonConsole(screenOptions());
  return shows === 'quiet'
    ? createQuietConsole(screenOptions())
    : createConsole({ ...screenOptions(), verbose: shows === 'verbose', isKnown: knownToday(baseline) });
}

function knownToday(baseline: Sinks['baseline']): (finding: Finding) => boolean {
  return knownIn({ baseline, today: new Date().toISOString().slice(0, 10) });
}

/** Paths relative to the working directory, if they are below it. */
export function asTyped(files: readonly string[]): readonly string[] {
  return files.map((file) => {
    const path = relative(process.cwd(), file);
    return path.startsWith('..') ? file : path;
  });
}

const PAGES: readonly string[] = ['report.html', 'compare.html'];

export async function openReport(files: readonly string[]): Promise<void> {
  const page = files.find((file) => PAGES.includes(basename(file)));
  if (page === undefined) return;
  const { default: open } = await import('open');
  await open(page);
}

/** Serves the live page of a run; its button interrupts the run like Ctrl-C. */
export async function openUi({ baseline }: Pick<Sinks, 'baseline'>): Promise<LivePage> {
  const page = await openLivePage(() => process.emit('SIGINT', 'SIGINT'), knownToday(baseline));
  process.stderr.write(`Live page: ${page.url}\n`);
  return page;
}

/** Serves the page of a finished run until Ctrl-C. */
export async function showUntilStopped(
  records: readonly RunRecord[],
  summary: Summary,
  signal: AbortSignal,
): Promise<void> {
  const known = new Set(summary.findings.flatMap((finding) => (finding.known ? [finding.fingerprint] : [])));
  const page = await openLivePage(undefined, ({ fingerprint }) => known.has(fingerprint));
  for (const record of records) page.record(record);
  page.end(summary);
  process.stderr.write(`Report page: ${page.url}\nPress Ctrl-C to stop.\n`);
  if (!signal.aborted) await once(signal, 'abort');
  await page.close();
}

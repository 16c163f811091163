import { basename, relative } from 'node:path';
import { createConsole, createJsonConsole, createQuietConsole } from '../../reports/index.ts';
import type { RunConsole } from '../../reports/index.ts';
import { COMMAND } from '../command-name.ts';
import type { Sinks } from './sinks.ts';

/** Standard output as the console needs it. */
export function screenOptions(): Parameters<typeof createConsole>[0] {
  const { stdout } = process;
  return { stream: stdout, isTTY: stdout.isTTY, columns: () => stdout.columns ?? 120, command: COMMAND };
}

/** What a run shows on standard output: everything, little with `--quiet`, or nothing but the summary with `--json`. */
export function openConsole({ shows }: Pick<Sinks, 'shows'>): RunConsole {
  if (shows === 'json') return createJsonConsole(screenOptions());
  return shows === 'quiet'
    ? createQuietConsole(screenOptions())
    : createConsole({ ...screenOptions(), verbose: shows === 'verbose' });
}

/** Paths as a person would type them here. */
export function asTyped(files: readonly string[]): readonly string[] {
  return files.map((file) => {
    const path = relative(process.cwd(), file);
    return path.startsWith('..') ? file : path;
  });
}

const PAGES: readonly string[] = ['report.html', 'compare.html'];

/** Opens the HTML report in the browser. */
export async function openReport(files: readonly string[]): Promise<void> {
  const page = files.find((file) => PAGES.includes(basename(file)));
  if (page === undefined) return;
  const { default: open } = await import('open');
  await open(page);
}

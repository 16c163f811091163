import { once } from 'node:events';
import type { LivePage, Summary } from '../../reports/index.ts';
import type { RunRecord } from '../../spec/index.ts';

/** Serves the page of a run that begins; its button interrupts the run as Ctrl-C does. */
export async function openUi(): Promise<LivePage> {
  const { openLivePage } = await import('../../reports/index.ts');
  const page = await openLivePage(() => process.emit('SIGINT', 'SIGINT'));
  process.stderr.write(`Live page: ${page.url}\n`);
  return page;
}

/** Serves the page of a finished run until Ctrl-C. */
export async function showUntilStopped(
  records: readonly RunRecord[],
  summary: Summary,
  signal: AbortSignal,
): Promise<void> {
  const { openLivePage } = await import('../../reports/index.ts');
  const page = await openLivePage();
  for (const record of records) page.record(record);
  page.end(summary);
  process.stderr.write(`Report page: ${page.url}\nPress Ctrl-C to stop.\n`);
  if (!signal.aborted) await once(signal, 'abort');
  await page.close();
}

import type { ReportView } from '../view.ts';

/** The summary as JSON, for scripts; the scripts of findings, which only the test files need, are left out. */
export function summaryText({ summary }: Pick<ReportView, 'summary'>): string {
  return `${JSON.stringify(summary, (key, value: unknown) => (key === 'script' ? undefined : value), 2)}\n`;
}

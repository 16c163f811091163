import { compareRuns as compareLoad } from '../../load/index.ts';
import { compareRuns, isWorse, printComparison, viewOf, writeComparison } from '../../reports/index.ts';
import type { ReportView } from '../../reports/index.ts';
import { EXIT } from '../../spec/index.ts';
import { comparisonLines } from '../text/comparison.ts';

/** What load measured in both runs, where they have a scenario in common; true where something is worse by more than the noise. */
function compareMeasurements(before: ReportView, after: ReportView): boolean {
  const comparisons = compareLoad(before.records, after.records);
  if (comparisons.length > 0) process.stdout.write(`${comparisonLines(comparisons).join('\n')}\n`);
  return comparisons.some(({ worse }) => worse);
}

/** Says what changed from one run to another, and writes it down. The number is the exit code. */
export async function compareReports(
  before: ReportView['records'],
  after: ReportView['records'],
  out: string,
): Promise<number> {
  const [a, b] = [viewOf(before), viewOf(after)];
  const comparison = compareRuns(a, b);
  const files = await writeComparison(a, b, out);
  printComparison(
    comparison,
    { stream: process.stdout, isTTY: process.stdout.isTTY, columns: process.stdout.columns ?? 120 },
    files,
  );
  const isSlower = compareMeasurements(a, b);
  if (isWorse(comparison)) return EXIT.failed;
  return isSlower ? EXIT.threshold : EXIT.passed;
}

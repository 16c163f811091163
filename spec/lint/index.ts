import { buildContract } from '../load/contract.ts';
import { BUILT_IN, readDescription } from '../load/index.ts';
import { locator } from '../load/source/locate.ts';
import { validityProblems } from './validity.ts';
import type { DescriptionProblem } from '../contract.ts';
import type { ReadOptions } from '../load/source/read.ts';

/** A problem of a description and where it stands in its file. */
export interface LintProblem extends DescriptionProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

const SEVERITIES: readonly DescriptionProblem['severity'][] = ['error', 'warning', 'note'];

function byPlace(a: LintProblem, b: LintProblem): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    a.pointer.localeCompare(b.pointer) ||
    a.message.localeCompare(b.message)
  );
}

/**
 * Everything that is odd in a description (the one that Assay brings, if none is given), worst first, then from top to bottom.
 * An AssayError says what cannot be read at all.
 */
export async function lintDescription(source?: string, options: ReadOptions = {}): Promise<readonly LintProblem[]> {
  const read = await readDescription(source, options);
  const contract = buildContract(read, read.problems);
  const told = new Set(contract.problems.map((problem) => problem.pointer));
  const lost = contract.problems.some((problem) => problem.severity === 'error');
  const invalid = (await validityProblems(read.written, read.source)).filter(
    (problem) => !told.has(problem.pointer) && !(lost && problem.pointer === ''),
  );
  const locate = locator(read.text);
  const problems = [...contract.problems, ...invalid].map((problem) => ({
    ...problem,
    file: source ?? BUILT_IN,
    ...locate(problem.pointer),
  }));
  return problems.sort(byPlace);
}

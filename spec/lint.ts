import { buildContract } from './loading/contract.ts';
import { BUILT_IN, documentFor, readDescription } from './loading/load.ts';
import { invalidPlaces } from './invalid-places.ts';
import type { DescriptionProblem } from './contract.ts';

/** A problem of a description and its location in the file. */
export interface LintProblem extends DescriptionProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

const SEVERITIES: readonly DescriptionProblem['severity'][] = ['error', 'warning', 'note'];

const NO_OPERATIONS: DescriptionProblem = {
  code: 'no-operations',
  severity: 'warning',
  pointer: '',
  message: 'There are no operations.',
  hint: 'Nothing can be tested. Describe operations under paths.',
};

/** All problems of a description (default: the built-in one), the most severe first. Throws an AssayError if it cannot be read. */
export async function lintDescription(source?: string): Promise<readonly LintProblem[]> {
  const read = await readDescription(source);
  const contract = buildContract(read, read.problems, await documentFor(read));
  const reported = new Set(contract.problems.map((problem) => problem.pointer));
  const hasErrors = contract.problems.some((problem) => problem.severity === 'error');
  const invalid = (await invalidPlaces(read.written, read.source)).filter(
    (problem) => !reported.has(problem.pointer) && !(hasErrors && problem.pointer === ''),
  );
  const { locator } = await import('./locate.ts');
  const locate = locator(read.text);
  const empty: readonly DescriptionProblem[] = contract.operations.length === 0 ? [NO_OPERATIONS] : [];
  return [...contract.problems, ...empty, ...invalid]
    .map((problem) => ({ ...problem, file: source ?? BUILT_IN, ...locate(problem.pointer) }))
    .sort(bySeverityAndPlace);
}

function bySeverityAndPlace(a: LintProblem, b: LintProblem): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    a.pointer.localeCompare(b.pointer) ||
    a.message.localeCompare(b.message)
  );
}

import { buildContract } from './loading/contract.ts';
import { BUILT_IN, documentFor, readDescription } from './loading/load.ts';
import { validateDescription } from './loading/parse.ts';
import { groupBy } from './group-by.ts';
import { existingPointer } from './pointer.ts';
import type { DescriptionProblem } from './contract.ts';
import type { JsonObject } from './json.ts';
import type { ValidationDetail } from './loading/parse.ts';

/** A problem of a description and its location in the file. */
export interface LintProblem extends DescriptionProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Limit for the listed problems of swagger-parser's validation. */
const MAX_INVALID = 100;

const SEVERITIES: readonly DescriptionProblem['severity'][] = ['error', 'warning', 'note'];

const NO_OPERATIONS: DescriptionProblem = {
  code: 'no-operations',
  severity: 'warning',
  pointer: '',
  message: 'There are no operations.',
  hint: 'Nothing can be tested. Describe operations under paths.',
};

/** Keywords whose failures only repeat a failure below them. */
const COMBINING: readonly string[] = ['oneOf', 'anyOf', 'if', '$ref', 'allOf', 'not'];

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

async function invalidPlaces(written: JsonObject, source: string): Promise<readonly DescriptionProblem[]> {
  const details = joined(deepest(await validateDescription(written, source))).slice(0, MAX_INVALID);
  return details.map(({ pointer, message }) => ({
    code: 'invalid',
    severity: 'warning',
    pointer: existingPointer(written, pointer),
    message: `Not valid OpenAPI: ${message}.`,
    hint: 'Follow the specification, so that other tools can read the description too.',
  }));
}

/** Each alternative allows other values: one detail names all of them. */
function joined(details: readonly ValidationDetail[]): readonly ValidationDetail[] {
  const groups = groupBy(details, ({ pointer, allowed }) => (allowed === undefined ? undefined : pointer));
  return [...groups].flatMap(([pointer, group]) => {
    const values = [...new Set(group.flatMap(({ allowed = [] }) => allowed.map(String)))];
    return pointer === undefined
      ? group
      : [{ pointer, keyword: 'enum', message: `must be one of ${values.join(', ')}` }];
  });
}

/** Keeps the deepest details: those above them repeat the same problem. */
function deepest(details: readonly ValidationDetail[]): readonly ValidationDetail[] {
  const specific = details.filter((item) => !COMBINING.includes(item.keyword));
  const candidates = specific.length > 0 ? specific : details;
  const above = new Set<string>();
  for (const { pointer } of candidates) {
    const steps = pointer.split('/');
    for (let length = 1; length < steps.length; length += 1) above.add(steps.slice(0, length).join('/'));
  }
  return candidates.filter((item) => !above.has(item.pointer));
}

import { globExpression } from '../../spec/escape.ts';
import type { TestRecord } from '../../spec/index.ts';

/** What a pattern of `--only` or `--skip` can name. */
export type Selectable = Pick<TestRecord, 'suite' | 'name' | 'operation' | 'checks'>;

/**
 * True where a pattern names the test: a suite or its folder, a check, an operation id, a part of the test's name,
 * any of these with `*` as wildcard, or several of these joined by ` & `. An operation id matches that operation only, not those it is a prefix of.
 */
export function matches(pattern: string, test: Selectable): boolean {
  if (pattern.includes(' & ')) return pattern.split(' & ').every((part) => matches(part, test));
  const wanted = pattern.trim().toLowerCase();
  const names = [test.suite, test.operation ?? '', ...test.checks, test.name].map((each) => each.toLowerCase());
  if (names.includes(wanted)) return true;
  if (wanted.includes('*')) {
    const glob = globExpression(wanted);
    return names.some((each) => glob.test(each));
  }
  if (test.suite.toLowerCase().startsWith(`${wanted}/`)) return true;
  return !isOperationId(wanted) && test.name.toLowerCase().includes(wanted);
}

export function selected(test: Selectable, only: readonly string[], skip: readonly string[]): boolean {
  if (only.length > 0 && !only.some((pattern) => matches(pattern, test))) return false;
  return !skip.some((pattern) => matches(pattern, test));
}

/** Patterns that name a suite from its folder on; any other can name an operation, a check or words of a title. */
const FROM_FOLDER = /^(?:contract|properties|state|snapshot)\//u;

/** False where no test of the suite is selected, whatever its checks and title are, and its operation unless it is given. */
export function mayBeSelected(
  suite: string,
  only: readonly string[],
  skip: readonly string[],
  operation?: string,
): boolean {
  const anyTest: Selectable = { suite, name: suite, checks: [], ...(operation === undefined ? {} : { operation }) };
  if (skip.some((pattern) => matches(pattern, anyTest))) return false;
  return only.length === 0 || only.some((pattern) => pattern.split(' & ').every((part) => mayMatch(part, anyTest)));
}

function mayMatch(part: string, anyTest: Selectable): boolean {
  if (anyTest.operation !== undefined && isOperationId(part)) return matches(part, anyTest);
  const [start = ''] = part.trim().toLowerCase().split('*');
  return !FROM_FOLDER.test(start) || start.startsWith(anyTest.suite) || matches(start, anyTest);
}

/** True for a method and a path, without wildcards. */
export function isOperationId(pattern: string): boolean {
  return /^(get|post|put|patch|delete|head|options|trace) \/[^\s*]*$/i.test(pattern);
}

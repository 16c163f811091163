import { groupBy } from '../../spec/group-by.ts';
import { defined } from '../../spec/defined.ts';
import type { RunError, Summary } from '../summary/types.ts';
import { count } from './numbers.ts';

/** Errors with the same message and hint. */
export interface ErrorGroup extends Pick<RunError, 'message' | 'hint'> {
  /** Title of the test, or the number of tests and the title of the first one. */
  readonly where?: string;
}

/** The errors of a run, each message once: a target that is lost is an error of every later test. */
export function errorGroups(errors: Summary['errors']): readonly ErrorGroup[] {
  const groups = groupBy(errors, ({ message, hint = '' }) => `${message}\n${hint}`);
  return [...groups.values()].map((group) => {
    const [{ message, hint } = { message: '' }] = group;
    const [first, ...others] = group.flatMap(({ test }) => test ?? []);
    const where =
      first !== undefined && others.length > 0 ? `${count(others.length + 1, 'test')}, first ${first}` : first;
    return { message, ...defined({ hint, where }) };
  });
}

/** An error with the tests that it ended. */
export const errorText = ({ where, message }: ErrorGroup): string =>
  where === undefined ? message : `${where}: ${message}`;

/** The error that the verdict is about, unless it is listed with its test, and the others. */
export function splitErrors({ verdict, errors }: Pick<Summary, 'verdict' | 'errors'>): {
  readonly headline?: RunError;
  readonly others: readonly ErrorGroup[];
} {
  const [first, ...others] = errors;
  if (verdict !== 'error' || first === undefined || first.test !== undefined) return { others: errorGroups(errors) };
  return { headline: first, others: errorGroups(others) };
}

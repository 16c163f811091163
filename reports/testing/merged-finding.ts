import { defined } from '../../spec/defined.ts';
import { checkOf } from '../../spec/index.ts';
import type { FindingCode, ShownExchange } from '../../spec/index.ts';
import type { MergedFinding } from '../summary/types.ts';
import { sampleFinding } from './sample-run.ts';

/** A finding of the summary, with the given members. */
export function finding(change: Partial<MergedFinding>): MergedFinding {
  const found = sampleFinding();
  const merged = { tests: [], forms: [], operations: [], occurrences: 1, known: false, fails: true } as const;
  return { ...found, ...merged, standing: 'new', ...change };
}

/** A finding from `CODE: OPERATION` or `CODE: OPERATION: SUBJECT`. */
export function parsed(text: string): Partial<MergedFinding> {
  const [code = '', operation = '', subject] = text.split(': ');
  return { check: checkOf(code as FindingCode), code, operation, ...defined({ subject }) };
}

/** As {@link parsed}, with a fingerprint and the other members. */
export const found = (fingerprint: string, text: string, change: Partial<MergedFinding> = {}): MergedFinding =>
  finding({ fingerprint, ...parsed(text), ...change });

export const withSteps = (
  one: MergedFinding,
  change: (step: ShownExchange) => Partial<ShownExchange>,
): MergedFinding => ({ ...one, steps: one.steps.map((step) => ({ ...step, ...change(step) })) });

export const answered = (status: number): Pick<MergedFinding, 'steps'> => ({
  steps: withSteps(finding({}), () => ({ response: { status, headers: [], body: '', truncated: false } })).steps,
});

/** Cases as text: a title, and indented below it what belongs to it. */
export const casesOf = (text: string): string[][] =>
  Array.from(text.trim().split(/\n(?=\S)/), (lines) => lines.split('\n').map((line) => line.trim()));

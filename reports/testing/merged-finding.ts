import { defined } from '../../spec/defined.ts';
import { checkOf } from '../../spec/index.ts';
import type { FindingCode } from '../../spec/index.ts';
import type { MergedFinding } from '../summary/types.ts';
import { sampleFinding } from './sample-run.ts';

/** A finding of the summary, with the given members. */
export function finding(change: Partial<MergedFinding>): MergedFinding {
  const found = sampleFinding('GET /aijob', '/api', 'paging', 0, '', 1);
  const merged = { tests: [], forms: [], operations: [], occurrences: 1, known: false, fails: true } as const;
  return { ...found, ...merged, standing: 'new', ...change };
}

/** A finding from `CODE: OPERATION` or `CODE: OPERATION: SUBJECT`. */
export function parsed(text: string): Partial<MergedFinding> {
  const [code = '', operation = '', subject] = text.split(': ');
  return { check: checkOf(code as FindingCode), code, operation, ...defined({ subject }) };
}

export const answered = (status: number): Pick<MergedFinding, 'steps'> => ({
  steps: finding({}).steps.map((step) => ({ ...step, response: { status, headers: [], body: '', truncated: false } })),
});

import { checkOf, FINDING_CODES } from '../../spec/index.ts';
import type { Exchange, FindingCode, Operation, Violation } from '../../spec/index.ts';

type Optional = 'subject' | 'requirement' | 'grade' | 'message' | 'setup';

/** The evidence of a violation, and its subject, which distinguishes it from others with the same code. */
export type Evidence = Pick<Violation, 'expected' | 'received' | 'exchanges'> & {
  readonly [K in Optional]?: Violation[K] | undefined;
};

/** A violation of one operation. Default message: the operation, the meaning of the code and the subject. */
export function violationOf(code: FindingCode, operation: Operation, evidence: Evidence): Violation {
  const { subject, requirement, grade, message, setup, ...rest } = evidence;
  const about = subject === undefined ? '' : ` (${subject})`;
  return {
    code,
    operation,
    message: message ?? `${operation.id}: ${meaningOf(code)}${about}`,
    ...(subject === undefined ? {} : { subject }),
    ...(requirement === undefined ? {} : { requirement }),
    ...(grade === undefined ? {} : { grade }),
    ...(setup === undefined ? {} : { setup }),
    ...rest,
  };
}

/** The violation, with the requests that created the items that it is about. */
export function withSetup(
  setup: readonly Exchange[] | undefined,
  violation: Violation | undefined,
): Violation | undefined {
  return violation === undefined || setup === undefined ? violation : { ...violation, setup };
}

/** The meaning of a code as a part of a sentence: without capital letter and full stop. */
export function meaningOf(code: FindingCode): string {
  const meanings: Readonly<Record<string, string>> = FINDING_CODES[checkOf(code)];
  const sentence = meanings[code.slice(code.indexOf('/') + 1)] ?? code;
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
}

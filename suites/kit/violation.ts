import { defined } from '../../spec/defined.ts';
import { groupBy } from '../../spec/group-by.ts';
import { checkOf, FINDING_CODES } from '../../spec/index.ts';
import type { Exchange, FindingCode, Operation, Violation } from '../../spec/index.ts';
import type { TestContext } from './context.ts';

type Optional = 'subject' | 'requirement' | 'grade' | 'message' | 'setup' | 'instancePointer';

/** The evidence of a violation, and its subject, which distinguishes it from others with the same code. */
export type Evidence = Pick<Violation, 'expected' | 'received'> & {
  readonly [K in Optional]?: Violation[K] | undefined;
} & {
  /** Those that are known. */
  readonly exchanges: readonly (Exchange | undefined)[];
};

/** A violation of one operation. Default message: the operation, the meaning of the code and the subject. */
export function violationOf(
  code: FindingCode,
  operation: Operation,
  evidence: Evidence,
): Violation & { readonly operation: Operation } {
  const { subject, requirement, grade, message, setup, instancePointer, expected, received, exchanges } = evidence;
  const words = subject !== undefined && checkOf(code) === 'overlap' ? callsInWords(subject) : subject;
  const about = words === undefined ? '' : ` (${words})`;
  return {
    code,
    operation,
    message: message ?? `${operation.id}: ${meaningOf(code)}${about}`,
    ...defined({ subject, requirement, grade, setup, instancePointer }),
    expected,
    received,
    exchanges: exchanges.filter((each) => each !== undefined),
  };
}

/** Reports such a violation. */
export function reportViolation(t: Pick<TestContext, 'report'>, ...given: Parameters<typeof violationOf>): void {
  t.report(violationOf(...given));
}

/** The violation, with the requests that created the items that it is about. */
export function withSetup(
  setup: readonly Exchange[] | undefined,
  violation: Violation | undefined,
): Violation | undefined {
  return violation === undefined || setup === undefined ? violation : { ...violation, setup };
}

/** Body size in bytes from which a message names it. */
const LARGE_BODY = 4096;

/** A server error with what is special about its request, as far as the test or the size of the body tells. */
export function withRequest(violation: Violation, { request }: Exchange, label: string | undefined): Violation {
  if (violation.code !== 'no-server-error/status') return violation;
  const size = request.body?.length ?? 0;
  const parts = [label ?? [], size < LARGE_BODY ? [] : `a body of ${size.toLocaleString('en')} bytes`].flat();
  return parts.length === 0 ? violation : { ...violation, message: `${violation.message} (${parts.join(', ')})` };
}

/** The meaning of a code as a part of a sentence: without capital letter and full stop. */
export function meaningOf(code: FindingCode): string {
  const meanings: Readonly<Record<string, string>> = FINDING_CODES[checkOf(code)];
  const sentence = meanings[code.slice(code.indexOf('/') + 1)] ?? code;
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
}

/** Overlapping calls, joined by `+` on one item and by `|` between items, in words: `read twice on each of 3 items`. */
function callsInWords(subject: string): string {
  const items = subject.split('|');
  const inWords = (calls: string): string => {
    const kinds = [...groupBy(calls.split('+'), (kind) => kind)];
    const texts = kinds.map(([kind, { length }]) => (length === 1 ? kind : `${kind} ${times(length)}`));
    return new Intl.ListFormat('en').format(texts);
  };
  if (items.length === 1) return inWords(subject);
  const [first = ''] = items;
  return items.every((each) => each === first)
    ? `${inWords(first)} on each of ${items.length} items`
    : items.map((each, at) => `${inWords(each)} on item ${at + 1}`).join(', ');
}

const times = (count: number): string => (count === 2 ? 'twice' : `${count} times`);

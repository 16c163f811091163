import { checkOf, judgeExchange, responseFor } from '../../../spec/index.ts';
import type { CheckName, Exchange, Expectation, Grade, Operation } from '../../../spec/index.ts';
import type { Session } from '../../kit/session.ts';
import type { Case } from './case.ts';
import { general as generalPointer } from './places.ts';

/** Something wrong that one case showed, not yet reported. */
export interface Flaw {
  readonly check: CheckName;
  readonly operation: Operation;
  readonly requirement?: string;
  readonly grade?: Grade;
  /** With check and operation it tells this defect from others; the same in every run. */
  readonly kind: string;
  readonly message: string;
  readonly expected: string;
  readonly received: string;
  readonly exchanges: readonly Exchange[];
  readonly instancePointer?: string;
  /** All pointers at which something is wrong, where they are known. */
  readonly pointers?: readonly string[];
  /** The case that shows it each time, where that is not the one that was tried. */
  readonly shownBy?: Case;
  /** True where time can't mend it: a single answer was wrong in itself. */
  readonly final: boolean;
}

/** What the checks of single exchanges say. */
export function exchangeFlaws(
  session: Session,
  operation: Operation,
  exchange: Exchange,
  expectation: Expectation = 'any',
): readonly Flaw[] {
  return judgeExchange(session.contract, operation, exchange, expectation).map((violation) => {
    const { code, subject, schemaPointer: _schemaPointer, form: _form, operation: _operation, ...rest } = violation;
    const check = checkOf(code);
    const cause = code === 'body-fits-schema/missing' ? 'no body' : (subject ?? code);
    const kind = check === 'body-fits-schema' ? general(session, operation, exchange, cause) : cause;
    return { check, operation, kind, ...rest, final: true };
  });
}

/** What must stay the same while a case is made simpler. */
export function keyOf({ check, operation, kind }: Flaw): string {
  return `${operation.id}\u0000${check}\u0000${kind}`;
}

/** A cause that begins with a pointer into the answer, without names that are only data. */
function general({ contract }: Session, operation: Operation, exchange: Exchange, cause: string): string {
  const end = cause.lastIndexOf(' ');
  const { response } = exchange;
  const content = responseFor(operation, response?.status ?? 0)?.content.find(
    (each) => each.schema !== undefined && (each.type === response?.mediaType || /json/.test(each.type)),
  );
  if (content?.schema === undefined || !cause.startsWith('/') || end < 0) return cause;
  return `${generalPointer(contract, content.schema, cause.slice(0, end))}${cause.slice(end)}`;
}

import { defined } from '../../spec/defined.ts';
import { checkOf, judgeExchange, responseFor } from '../../spec/index.ts';
import type { CheckName, Exchange, Expectation, Operation, Violation } from '../../spec/index.ts';
import type { Session } from '../kit/session.ts';
import { sentJson } from './attempts/slot.ts';
import { encodeCase, withBodyValue } from './case.ts';
import type { Case } from './case.ts';
import { describePlaces, generalPointer, isOfSeveral, placeNames } from './places.ts';
import type { Place } from './places.ts';
import type { Property } from './run-property.ts';

/** A violation that one case showed, before triage. */
export interface CaseViolation extends Violation {
  readonly operation: Operation;
  /** All pointers at which a member is wrong, where they are known. */
  readonly pointers?: readonly string[];
  /** Those of them at which an empty list or object was returned. */
  readonly emptied?: readonly string[];
  /** Those of them at which nothing was returned. */
  readonly missing?: readonly string[];
  /** The case that shows it every time, where that is not the one that was tested. */
  readonly shownBy?: Case;
  /** True where waiting cannot change it: one response violates the document by itself. */
  readonly isFinal?: true;
}

/** The violations that an attempt shows. */
export type CaseViolations = Promise<readonly CaseViolation[]>;

/** Checks of a response that no wait makes right. */
const OF_RESPONSES: readonly CheckName[] = ['no-server-error', 'status-documented', 'body-fits-schema'];

/** True for what a change that is not visible yet may cause. */
export const mayBeLate = ({ code }: CaseViolation): boolean => !OF_RESPONSES.includes(checkOf(code));

/** Identifies a violation while its case is simplified. */
export function caseKey({ operation, code, subject = '' }: CaseViolation): string {
  return `${operation.id}\u0000${code}\u0000${subject}`;
}

/** The checks of single exchanges that properties of valid requests verify. */
export const EXCHANGE_CHECKS: readonly CheckName[] = [
  'no-server-error',
  'answered',
  'status-documented',
  'body-fits-schema',
  'valid-request-served',
];

/** The violations that the checks of single exchanges find. */
export function exchangeViolations(
  session: Session,
  operation: Operation,
  exchange: Exchange,
  expectation: Expectation = 'any',
): readonly CaseViolation[] {
  return judgeExchange(session.contract, operation, exchange, expectation).map((violation) => ({
    ...violation,
    ...subjectOf(session, operation, exchange, violation),
    operation,
    isFinal: true,
  }));
}

/** The subject of a schema mismatch, without the keys of maps, which are data. */
function subjectOf(
  { contract }: Session,
  operation: Operation,
  { response }: Exchange,
  { code, subject, instancePointer, grade }: Violation,
): Pick<Violation, 'subject'> {
  const isMismatch = code === 'body-fits-schema/mismatch' && grade !== 'published';
  if (!isMismatch || subject === undefined || instancePointer === undefined)
    return subject === undefined ? {} : { subject };
  const content = responseFor(operation, response?.status ?? 0)?.content.find(
    (each) => each.schema !== undefined && (each.type === response?.mediaType || /json/.test(each.type)),
  );
  const keyword = subject.slice(subject.lastIndexOf(' ') + 1);
  return content?.schema === undefined
    ? { subject }
    : { subject: `${generalPointer(contract, content.schema, instancePointer)} ${keyword}` };
}

const AFTER: Readonly<Record<NonNullable<Case['after']>, string>> = {
  full: 'after an update that set every member',
  new: 'of a new item',
  empty: 'of an item whose lists and maps are empty',
};

/** The violation to report for a simplified case; its subject names the members and parameters that matter. */
export function reportedViolation(
  property: Property,
  violation: CaseViolation,
  value: Case,
  places: readonly Place[],
): Violation {
  const names =
    property.aspects?.(value, violation) ?? (value.rawBody === undefined ? placeNames(places) : ([] as const));
  return {
    ...plainViolation(violation),
    ...subjectWith(violation, value.variant === undefined ? names : [value.variant, ...names]),
    message: `${violation.message}${descriptionOf(property, shownCase(value, violation), places)}`,
    path: encodeCase(property.notReturned === undefined ? value : { ...value, notReturned: property.notReturned }),
  };
}

/** The case as its description shows it; the messages of `equal-json` name the encoding themselves. */
function shownCase(value: Case, violation: CaseViolation): Case {
  const { variant, ...rest } = asSent(value, violation);
  return { ...rest, ...(checkOf(violation.code) === 'equal-json' ? {} : defined({ variant })) };
}

/** The case with the body that was sent, in which placeholders are replaced. */
function asSent(value: Case, { operation, exchanges }: CaseViolation): Case {
  const sent = exchanges.findLast((each) => each.operation === operation.id);
  const body = sent === undefined ? undefined : sentJson(sent);
  return body === undefined || value.request.body === undefined
    ? value
    : { ...value, request: withBodyValue(value.request, body) };
}

/**
 * The subject, with the names of the places that matter; a member that contains them is not repeated. A mismatch with a published schema
 * keeps its subject, so that it is one finding whatever request shows it.
 */
function subjectWith({ subject, code, grade }: CaseViolation, names: readonly string[]): Pick<Violation, 'subject'> {
  if (subject !== undefined && code === 'body-fits-schema/mismatch' && grade === 'published') return { subject };
  const isRepeated = names.some((name) => name === subject || name.startsWith(`${subject ?? ''}/`));
  const parts = [...(subject === undefined || (isRepeated && subject !== '') ? [] : [subject]), ...names];
  return parts.length === 0 ? {} : { subject: parts.join(' ') };
}

function descriptionOf(property: Property, value: Case, places: readonly Place[]): string {
  const { variant, after, label, rawBody } = value;
  const how = `${variant === undefined ? '' : ` (${variant})`}${after === undefined ? '' : ` (${AFTER[after]})`}`;
  if (rawBody !== undefined || property.shrinker === undefined)
    return `${how}${label === undefined ? '' : `: ${label}`}`;
  if (places.length > 0) {
    // The label of an invalid request tells which of many members is wrong.
    const kind = label !== undefined && isOfSeveral(places) ? `${label}; ` : '';
    return `${how} (request: ${kind}${describePlaces(value.request, places)})`;
  }
  const body = JSON.stringify(value.request.body?.value);
  return body === undefined ? how : `${how} (request body: ${body.length > 80 ? `${body.slice(0, 70)}…` : body})`;
}

/** A violation that the same request shows only sometimes; `times`: how often it was seen and then never again. */
export function intermittentViolation(violation: CaseViolation, times?: number): Violation {
  const { subject, message } = violation;
  const how =
    times === undefined
      ? 'the same request, sent again, did not always show it'
      : `seen ${times === 1 ? 'once' : `${times} times`}, but not when the request was repeated`;
  return {
    ...plainViolation(violation),
    subject: subject === undefined ? 'intermittent' : `${subject} intermittent`,
    message: `${message}, intermittently: ${how}`,
  };
}

/** The violation without the members that only the triage needs. */
function plainViolation({
  isFinal: _isFinal,
  pointers: _pointers,
  emptied: _emptied,
  missing: _missing,
  shownBy: _shownBy,
  ...rest
}: CaseViolation): Violation {
  return rest;
}

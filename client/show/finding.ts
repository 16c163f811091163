import { defined } from '../../spec/defined.ts';
import { checkOf, fingerprint, gradeFor, isOfGateway } from '../../spec/index.ts';
import type {
  CheckName,
  Contract,
  Exchange,
  Finding,
  FindingCode,
  Grade,
  Operation,
  Requirement,
  Violation,
} from '../../spec/index.ts';
import type { Connection } from '../connection.ts';
import { fitsLine, toCurl } from './curl.ts';
import { idsInRequest, idsInResponse } from './ids.ts';
import { needsAllSteps, sendsTogether, toCurlOfSteps } from './curl-of-steps.ts';
import { pauseBeforeRead } from './pause.ts';
import type { SameSince } from './pause.ts';
import { toCurlWithSetup } from './curl-with-setup.ts';
import { toScript } from './script.ts';
import type { ScriptSources } from './script-plan.ts';
import { shortensLists } from './short-lists.ts';
import { showExchange } from './show.ts';
import { withStepsBefore } from './steps-before.ts';

/** What the run knows about the data of a finding. */
export interface FindingSources extends Omit<ScriptSources, 'contract' | 'labels'> {
  /** The last successful read of the same URL with the full token, before an exchange; `inAnyForm`: or of another form of its path. */
  readonly readBefore?: (exchange: Exchange, inAnyForm?: boolean) => Exchange | undefined;
  /** An earlier read of the same path with another query that was answered with the same bytes. */
  readonly sameAnswer?: (exchange: Exchange) => Exchange | undefined;
  /** True for an operation that the run has also seen succeed, through a form. */
  readonly hasServed?: (operation: string, form: string) => boolean;
  readonly sameSince?: SameSince;
  /** An earlier successful creation by the same operation of an item with the same name, and its deletion if it was deleted. */
  readonly sameName?: (exchange: Exchange) => readonly Exchange[];
}

export interface FindingContext extends FindingSources {
  readonly contract: Contract;
  readonly seed: number;
  /** How the run reaches the deployment. */
  readonly connection?: Connection | undefined;
  /** Replaces tokens with the names of their variables. */
  readonly redact: (text: string) => string;
  /** Labels of exchanges, by their id. */
  readonly labels?: ReadonlyMap<string, string>;
  /** True for a finding that is already reported, of which only the identity is needed. */
  readonly isKnown?: (fingerprint: string) => boolean;
  readonly replay?: string;
  /** See {@link Finding.hint}. */
  readonly hint?: string | undefined;
  /** Fingerprint of the finding that explains this one. */
  readonly cause?: string | undefined;
  /** See {@link Finding.sharedId}. */
  readonly sharedId?: boolean;
}

/** What the description itself states is documented; a requirement that is not listed for this description is not stated anywhere. */
function gradeOf(violation: Violation, requirement: Requirement | undefined, operation: Operation): Grade {
  if (requirement !== undefined) return gradeFor(requirement, operation);
  return violation.requirement === undefined ? 'documented' : 'inferred';
}

/** A requirement without a section is a rule of its own, for any description; the API document states only what is documented. */
function statementOf(requirement: Requirement | undefined): string {
  if (requirement === undefined) return '';
  const { section, text, grade } = requirement;
  if (section === '') return text;
  return grade === 'documented' ? `api.md section ${section}: ${text}` : `${text} (not stated in api.md)`;
}

/** Creates the finding of a violation: with requirement, grade, steps, curl line and replay command, all redacted. */
export function toFinding(given: Violation, context: FindingContext): Finding {
  const violation = withStepsBefore(given, context);
  const { contract, redact, labels, replay, cause, hint } = context;
  const { code, exchanges, path, instancePointer } = violation;
  const operation = operationOf(violation, contract);
  const form = violation.form ?? exchanges.at(-1)?.form ?? operation.forms[0]?.name ?? '';
  const requirement = requirementOf(contract, violation, operation);
  const grade = violation.grade ?? gradeOf(violation, requirement, operation);
  const pointer = violation.schemaPointer ?? formPointer(operation, form);
  const id = requirement?.id ?? violation.requirement ?? `description.${checkOf(code)}`;
  const subject = violation.subject === undefined ? undefined : redact(violation.subject);
  const identity = fingerprint({
    code,
    subject,
    requirement: id,
    operation: violation.everywhere === true ? '' : operation.id,
  });
  const isKnown = context.isKnown?.(identity) === true;
  const script = isKnown ? undefined : toScript(violation, operation, context);
  return {
    fingerprint: identity,
    code,
    check: checkOf(code),
    ...(subject === undefined ? {} : { subject }),
    requirement: id,
    grade,
    operation: operation.id,
    form,
    severity: grade === 'documented' ? 'violation' : 'warning',
    message: redact(violation.message),
    expected: redact(violation.expected),
    received: redact(violation.received),
    source: [statementOf(requirement), `${contract.source}#${pointer}`].filter((each) => each !== '').join(' · '),
    ...(instancePointer === undefined ? {} : { instancePointer }),
    schemaPointer: pointer,
    ...(hint === undefined ? {} : { hint: redact(hint) }),
    ...(isKnown ? { curl: '' } : curlOf(violation, operation, context)),
    steps: (isKnown ? [] : exchanges).map((each) => showExchange(each, labels?.get(each.id), context)),
    ...(script === undefined ? {} : { script }),
    seed: context.seed,
    ...defined({ path, replay, cause }),
    ...(context.sharedId === true ? { sharedId: true } : {}),
  };
}

function operationOf(violation: Violation, contract: Contract): Operation {
  const operation = violation.operation ?? contract.operation(violation.exchanges.at(-1)?.operation ?? '');
  if (operation === undefined) throw new Error(`a violation with the code ${violation.code} names no operation`);
  return operation;
}

/** The requirement that the violation names, or the operation's own. */
function requirementOf(
  contract: Contract,
  { requirement, code }: Violation,
  operation: Operation,
): Requirement | undefined {
  if (code === 'snapshot-behaviour/changed') return undefined;
  return contract.requirements.find((each) => each.id === requirement) ?? ownRequirement(contract, operation);
}

/** The requirement of an operation's own row in the tables of endpoints (section 4): the one that covers the fewest others. */
export function ownRequirement(contract: Contract, operation: Operation): Requirement | undefined {
  const rows = contract.requirements.filter(
    (each) => each.section.startsWith('4') && each.operations?.includes(operation.id),
  );
  return rows.sort((a, b) => (a.operations?.length ?? 0) - (b.operations?.length ?? 0))[0];
}

function formPointer(operation: Operation, form: string): string {
  return (operation.forms.find((each) => each.name === form) ?? operation.forms[0])?.pointer ?? '';
}

/** Checks that read what a change has made: where an old answer comes from a cache, it has to be read before. */
const MAY_BE_STALE: readonly string[] = [
  'updated-reads-back',
  'deleted-is-gone',
  'form-shared-state',
  'activation',
] satisfies readonly CheckName[];

/** The steps up to the last exchange, preceded by those that recreate their data; if that is too long, the operation's request alone. */
function curlOf(
  violation: Violation,
  operation: Operation,
  context: FindingContext,
): Pick<Finding, 'curl' | 'curlShows' | 'pauseSeconds'> {
  const { exchanges, setup } = violation;
  const { origin, connection, sameSince } = context;
  const isOverlap = checkOf(violation.code) === 'overlap';
  const { pauseSeconds, isUndone = false } = isOverlap ? {} : pauseBeforeRead(violation, sameSince);
  const last = exchanges.at(-1);
  const own = exchanges.findLast((each) => each.operation === operation.id) ?? last;
  if (last === undefined || own === undefined) return { curl: '' };
  // A read before the change lets a cache store the old response.
  const readsFirst = MAY_BE_STALE.includes(checkOf(violation.code)) && last.request.method === 'GET';
  const options = {
    steps: exchanges,
    setup,
    origin: (id: string, user?: Exchange) => origin?.(id, user),
    connection,
    readsFirst,
    pauseSeconds,
  };
  const line = (): string | undefined => toCurlOfSteps(violation, context, { connection }, pauseSeconds);
  const isOfSteps = needsAllSteps(violation, context);
  const plain = isOfSteps ? undefined : toCurlWithSetup(last, options);
  const lined = plain === undefined ? line() : undefined;
  const whole = plain ?? lined ?? toCurlWithSetup(last, options);
  if (whole !== undefined) {
    const isRace = isOfSteps && sendsTogether(violation, context);
    const first = readFirst(violation, isRace, context);
    const isShort = lined !== undefined && shortensLists(exchanges, origin);
    const doubt = isUndone ? 'later' : (doubtOf(violation, isRace, context) ?? (isShort ? 'short' : undefined));
    return {
      curl: first + whole + idAskedFor(violation, whole),
      ...defined({ curlShows: first === '' ? doubt : 'cached', pauseSeconds }),
    };
  }
  const curl = toCurlWithSetup(own, options) ?? toCurl(own, { connection });
  if (!fitsLine(own)) return { curl, curlShows: 'body' };
  return { curl, curlShows: 'part' };
}

/** Codes of violations in which two requests get the same answer, without any cache. */
const SAME_ANSWER_EXPECTED: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'authentication/accepted',
  'authorisation/accepted',
  'filters/default-value',
  'filters/ignored',
  'filters/wrongly-found',
  'ordering/order-asc-default',
  'paging-defaults/number',
  'paging-defaults/size',
  'paging-partition/page-too-long',
  'query-styles/ignored',
]);

/** The start of a line: the read of another query that may have been answered instead, unless the steps compare two reads anyway. */
function readFirst(
  { code, exchanges }: Violation,
  isRace: boolean,
  { sameAnswer, connection }: FindingContext,
): string {
  const last = exchanges.at(-1);
  const reads = exchanges.filter((each) => each.operation === last?.operation);
  const isExpected = SAME_ANSWER_EXPECTED.has(code);
  const before = isRace || isExpected || last === undefined || reads.length > 1 ? undefined : sameAnswer?.(last);
  return before === undefined ? '' : `${toCurl(before, { connection, output: 'none' })} && `;
}

/** The end of a line about a wrong id: prints the id that was asked for. */
function idAskedFor({ code }: Violation, line: string): string {
  const variable = code === 'own-id/other' ? [...line.matchAll(/\$id\d+/g)].at(-1)?.[0] : undefined;
  return variable === undefined ? '' : ` && echo && echo "asked for: ${variable}"`;
}

/** Why a line with all steps may not show the violation. */
function doubtOf(
  { code, subject, exchanges, setup = [] }: Violation,
  isRace: boolean,
  { hasServed, readBefore }: FindingContext,
): Finding['curlShows'] {
  const last = exchanges.at(-1);
  if (checkOf(code) === 'overlap') return isRace ? 'overlap' : 'alone';
  if (code.endsWith('/other-item') || code === 'created-reads-back/created-twice') return 'others';
  if (last === undefined || subject?.endsWith('intermittent') === true) return 'sometimes';
  // A gateway answers so now and then, whatever the request.
  if (isOfGateway(last.response?.status ?? 0) && hasServed?.(last.operation, last.form) === true) return 'sometimes';
  if (code === 'created-reads-back/not-readable' && hasServed?.(last.operation, last.form) === true) return 'sometimes';
  const isRead = last.request.method === 'GET';
  if (code.startsWith('paging-') && setup.length === 0) return 'list';
  if (code === 'no-server-error/status' && isRead && readBefore?.(last) !== undefined) return 'sometimes';
  const id = idsInRequest(last).at(-1);
  const right = code === 'own-id/other' && id !== undefined ? readBefore?.(last) : undefined;
  return right !== undefined && idsInResponse(right).includes(id ?? '') ? 'sometimes' : undefined;
}

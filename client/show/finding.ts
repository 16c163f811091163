import { checkOf, fingerprint, gradeFor } from '../../spec/index.ts';
import type { Contract, Exchange, Finding, Grade, Operation, Requirement, Violation } from '../../spec/index.ts';
import type { Connection } from '../connection.ts';
import { fitsLine, toCurl } from './curl.ts';
import { needsLine, sendsTogether, toLine } from './line.ts';
import { toRecipe } from './recipe.ts';
import { toScript } from './script.ts';
import { showExchange } from './show.ts';
import type { Origin } from './ids.ts';

/** What a finding needs to know of the run that reports it. */
export interface FindingContext {
  readonly contract: Contract;
  readonly seed: number;
  /** How the run reaches the deployment. */
  readonly connection?: Connection | undefined;
  /** Replaces tokens by the names of their variables. */
  readonly redact: (text: string) => string;
  /** Labels of exchanges, by their id. */
  readonly labels?: ReadonlyMap<string, string>;
  /** The exchange that created the item with an id. */
  readonly origin?: Origin;
  /** A read that showed an id that the deployment made by itself. */
  readonly seen?: Origin;
  /** The successful requests that changed an item. */
  readonly changes?: (id: string) => readonly Exchange[];
  /** True for a finding that is already reported: nothing more is needed of it than its identity. */
  readonly isKnown?: (fingerprint: string) => boolean;
  /** The command that replays it. */
  readonly replay?: string;
  /** See {@link Finding.hint}. */
  readonly hint?: string | undefined;
  /** Fingerprint of the finding that explains this one. */
  readonly cause?: string | undefined;
}

/** What the description itself states is documented; a requirement that is not listed for this description is not stated anywhere. */
function gradeOf(violation: Violation, requirement: Requirement | undefined, operation: Operation): Grade {
  if (requirement !== undefined) return gradeFor(requirement, operation);
  return violation.requirement === undefined ? 'documented' : 'inferred';
}

/** A requirement without a section is a rule of its own, for any description. */
function statementOf(requirement: Requirement | undefined): string {
  if (requirement === undefined) return '';
  return requirement.section === '' ? requirement.text : `api.md section ${requirement.section}: ${requirement.text}`;
}

/** Turns a violation into a finding: with requirement, grade, steps, curl line and replay command, all redacted. */
export function toFinding(violation: Violation, context: FindingContext): Finding {
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
    ...curlOf(violation, operation, context, isKnown),
    steps: exchanges.map((each) => showExchange(each, labels?.get(each.id), context)),
    ...(script === undefined ? {} : { script }),
    seed: context.seed,
    ...(path === undefined ? {} : { path }),
    ...(replay === undefined ? {} : { replay }),
    ...(cause === undefined ? {} : { cause }),
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

/** The steps up to the last exchange, preceded by what recreates their data; where that is too long, the operation's own request. */
function curlOf(
  violation: Violation,
  operation: Operation,
  context: FindingContext,
  isKnown: boolean,
): Pick<Finding, 'curl' | 'curlShows'> {
  const { exchanges, setup } = violation;
  const { origin, connection } = context;
  const last = exchanges.at(-1);
  const own = exchanges.findLast((each) => each.operation === operation.id) ?? last;
  if (last === undefined || own === undefined) return { curl: '' };
  // A read before the change shows what a cache keeps.
  const readsFirst = checkOf(violation.code) === 'updated-reads-back' && last.request.method === 'GET';
  const recipe = { steps: exchanges, setup, origin: (id: string) => origin?.(id), connection, readsFirst };
  const line = (): string | undefined => toLine(violation, context, { connection });
  const isLine = !isKnown && needsLine(violation, context);
  const whole = (isLine ? line() : undefined) ?? toRecipe(last, recipe) ?? line();
  if (whole !== undefined) {
    const isRace = isLine && checkOf(violation.code) === 'overlap' && sendsTogether(violation, context);
    return { curl: whole, ...(isRace ? { curlShows: 'overlap' } : {}) };
  }
  const curl = toRecipe(own, recipe) ?? toCurl(own, { connection });
  if (!fitsLine(own)) return { curl, curlShows: 'body' };
  return { curl, curlShows: 'part' };
}

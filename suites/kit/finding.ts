import { showExchange, toCurl, toRecipe } from '../../client/index.ts';
import { fingerprint } from '../../spec/index.ts';
import type {
  RuleViolation,
  CheckName,
  Exchange,
  Finding,
  Operation,
  Requirement,
  ShownExchange,
} from '../../spec/index.ts';
import { ownRequirement } from './own-requirement.ts';
import type { Session } from './session.ts';

/** A violation with all that surrounds it. */
export interface FindingParts extends RuleViolation {
  readonly check: CheckName;
  readonly operation: Operation;
  readonly form: string;
  readonly exchanges: readonly Exchange[];
  readonly labels: ReadonlyMap<string, string>;
  /** Full name of the test, which replays it. */
  readonly test: string;
  readonly path?: string;
  readonly everywhere?: boolean;
}

/** Dresses a violation as a finding: source, grade, severity, steps, curl and the command that replays it. */
export function makeFinding(session: Session, parts: FindingParts): Finding {
  const { contract, options } = session;
  const requirement = requirementOf(session, parts);
  const grade = parts.grade ?? requirement?.grade ?? 'documented';
  const id = requirement?.id ?? parts.requirement ?? `description.${parts.check}`;
  const steps = parts.exchanges.map((each): ShownExchange => showExchange(each, parts.labels.get(each.id), options));
  const pointer = parts.schemaPointer ?? formPointer(parts.operation, parts.form);
  const cause = redacted(session, parts.cause);
  return {
    fingerprint: fingerprint({
      check: parts.check,
      requirement: id,
      operation: parts.everywhere === true ? '' : parts.operation.id,
      cause,
    }),
    check: parts.check,
    requirement: id,
    grade,
    operation: parts.operation.id,
    form: parts.form,
    severity: grade === 'documented' ? 'violation' : 'warning',
    cause,
    message: redacted(session, parts.message),
    expected: redacted(session, parts.expected),
    source: [
      requirement === undefined ? '' : `api.md section ${requirement.section}: ${requirement.text}`,
      `${contract.builtIn ? 'openapi.yaml' : contract.source}#${pointer}`,
    ]
      .filter((each) => each !== '')
      .join(' · '),
    received: redacted(session, parts.received),
    ...(parts.instancePointer === undefined ? {} : { instancePointer: parts.instancePointer }),
    schemaPointer: pointer,
    curl: curlOf(session, parts),
    steps,
    seed: options.seed,
    ...(parts.path === undefined ? {} : { path: parts.path }),
    replay: replayCommand(session, parts),
  };
}

/** The steps up to the decisive one, after what makes anew what they work on; where that is too long, the request that the finding is about. */
function curlOf({ options, origins }: Session, { exchanges, operation }: FindingParts): string {
  const last = exchanges.at(-1);
  const own = exchanges.findLast((each) => each.operation === operation.id) ?? last;
  if (last === undefined || own === undefined) return '';
  const told = { steps: exchanges, origin: (id: string) => origins.get(id), insecure: options.insecure };
  return toRecipe(last, told) ?? toRecipe(own, told) ?? toCurl(own, options);
}

/** The requirement that a violation cites, or the one of its operation. */
function requirementOf({ contract }: Session, { requirement, operation }: FindingParts): Requirement | undefined {
  if (requirement === 'learned.behaviour') return undefined;
  const cited = contract.requirements.find((each) => each.id === requirement);
  return cited ?? ownRequirement(contract, operation);
}

function formPointer(operation: Operation, form: string): string {
  return (operation.forms.find((each) => each.name === form) ?? operation.forms[0])?.pointer ?? '';
}

function replayCommand({ options }: Session, { test, path }: FindingParts): string {
  const { embedded, baseUrl, specSource, insecure, allow, seed } = options;
  return [
    'assay verify',
    ...(embedded ? [] : [`--base-url ${quoted(baseUrl)}`]),
    ...(specSource === undefined ? [] : [`--spec ${quoted(specSource)}`]),
    ...(embedded ? [] : [`--allow ${allow.join(',')}`]),
    ...(insecure === true ? ['--insecure'] : []),
    `--seed ${seed}`,
    ...(path === undefined ? [] : [`--path ${quoted(path)}`]),
    `--only ${quoted(test)}`,
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function redacted(session: Session, text: string): string {
  return session.target.redact(text);
}

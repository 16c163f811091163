import { showExchange } from '../../client/index.ts';
import { fingerprint, judgeExchange } from '../../spec/index.ts';
import type { RuleViolation, Contract, Exchange, Finding, Requirement } from '../../spec/index.ts';

interface Judged {
  readonly check: string;
  readonly violation: RuleViolation;
}

/** What the findings of a run have in common. */
interface OfRun {
  readonly seed: number;
  readonly insecure: boolean;
}

function asFinding(
  contract: Contract,
  exchange: Exchange,
  { check, violation }: Judged,
  { seed, insecure }: OfRun,
): Finding {
  const cited: Requirement | undefined = contract.requirements.find(({ id }) => id === violation.requirement);
  const grade = violation.grade ?? cited?.grade ?? 'documented';
  const requirement = cited?.id ?? violation.requirement ?? `description.${check}`;
  const shown = showExchange(exchange, 'under load', { insecure });
  const { operation, form } = exchange;
  const { cause, message, expected, received, instancePointer, schemaPointer } = violation;
  return {
    fingerprint: fingerprint({ check, requirement, operation, cause }),
    check,
    requirement,
    grade,
    operation,
    form,
    cause,
    message,
    expected,
    received,
    seed,
    severity: grade === 'documented' ? 'violation' : 'warning',
    source: [
      cited === undefined ? '' : `api.md section ${cited.section}: ${cited.text}`,
      `${contract.source}#${schemaPointer ?? ''}`,
    ]
      .filter((part) => part !== '')
      .join(' · '),
    ...(instancePointer === undefined ? {} : { instancePointer }),
    ...(schemaPointer === undefined ? {} : { schemaPointer }),
    curl: shown.curl,
    steps: [shown],
  };
}

/** The checks of `verify` over one exchange, for answers that were kept under load. */
export function judgeOf(contract: Contract, run: OfRun): (exchange: Exchange) => readonly Finding[] {
  return (exchange) => {
    const operation = contract.operation(exchange.operation);
    return operation === undefined
      ? []
      : judgeExchange(contract, operation, exchange).map((judged) => asFinding(contract, exchange, judged, run));
  };
}

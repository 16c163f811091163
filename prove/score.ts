import type { ProveAnswer } from './job.ts';
import type { DefectResult } from './prove-defects.ts';
import { defectThatProves } from './selection.ts';
import type { Proof } from './defects/proofs.ts';

/** Caught defects of one operator, written by hand, or of the service. */
export interface OriginScore {
  readonly origin: string;
  readonly caught: number;
  readonly of: number;
}

/** Defects that one check caught. */
export interface CheckScore {
  readonly check: string;
  readonly caught: number;
  /** Defects that no other check reported in the tests that ran. */
  readonly alone: number;
}

export interface Score {
  readonly caught: number;
  readonly of: number;
  /** Share of the defects that were caught, 0 to 1; those that affected no request do not count. */
  readonly share: number;
  readonly byOperator: readonly OriginScore[];
  readonly byCheck: readonly CheckScore[];
  readonly survivors: readonly DefectResult[];
  /** Defects that affected no request of the suites: nothing observable changed. */
  readonly unmet: readonly DefectResult[];
}

/** Counts what was caught, by operator and by check. */
export function scoreOf(results: readonly DefectResult[], checks: readonly string[]): Score {
  const counted = results.filter(({ isCaught, isMet }) => isCaught || isMet);
  const caught = counted.filter(({ isCaught }) => isCaught);
  const origins = [...new Set(results.map(({ defect }) => defect.origin))];
  return {
    caught: caught.length,
    of: counted.length,
    share: counted.length === 0 ? 0 : caught.length / counted.length,
    byOperator: origins.map((origin) => ({
      origin,
      caught: caught.filter(({ defect }) => defect.origin === origin).length,
      of: counted.filter(({ defect }) => defect.origin === origin).length,
    })),
    byCheck: checks.map((check) => ({
      check,
      caught: caught.filter((result) => result.checks.includes(check)).length,
      alone: caught.filter((result) => result.checks.length === 1 && result.checks[0] === check).length,
    })),
    survivors: counted.filter(({ isCaught }) => !isCaught),
    unmet: results.filter(({ isCaught, isMet }) => !isCaught && !isMet),
  };
}

export interface HealthyResult {
  readonly name: string;
  readonly answer: ProveAnswer;
}

export interface ProofResults {
  readonly results: readonly DefectResult[];
  readonly healthy: readonly HealthyResult[];
  readonly proofs: Readonly<Record<string, Proof>>;
  /** Least share of defects that must be caught, 0 to 1. */
  readonly leastShare: number;
}

function problemOfProof(check: string, proof: Proof, results: readonly DefectResult[]): readonly string[] {
  const name = defectThatProves(proof);
  const result = results.find(({ defect }) => defect.name === name);
  if (result === undefined || result.checks.includes(check)) return [];
  return [`${check} did not catch ${result.defect.name}, which it must catch`];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** Reasons why the verdicts of the suites cannot be trusted; empty if they can. */
export function judge({ results, healthy, proofs, leastShare }: ProofResults): readonly string[] {
  const score = scoreOf(results, []);
  return [
    ...(results.length > 0 && score.share < leastShare
      ? [
          `${score.caught} of ${score.of} defects were caught (${percent(score.share)}); at least ${percent(leastShare)} is required`,
        ]
      : []),
    ...Object.entries(proofs).flatMap(([check, proof]) => problemOfProof(check, proof, results)),
    ...healthy.flatMap(({ name, answer }) => [
      ...answer.findings
        .filter(({ severity }) => severity === 'violation')
        .map(({ check, operation, message }) => `${name} is healthy, but ${check} reports ${operation}: ${message}`),
      ...answer.errors.map((error) => `${name}: ${error}`),
      ...(answer.tests === 0 ? [`${name}: no test ran`] : []),
    ]),
  ];
}

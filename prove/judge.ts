import type { ProveAnswer } from './job.ts';

/** What became of one fault. */
export interface FaultResult extends ProveAnswer {
  readonly fault: string;
  /** Operations that the catalogue says show it; empty: any. */
  readonly operations: readonly string[];
  /** True where the fault breaks only what is published: then a warning has caught it. */
  readonly warns: boolean;
}

/** Names of the checks that caught it, most findings first; warnings count where that is said. */
export function checksOf(result: ProveAnswer, warnings = false): readonly string[] {
  const counts = new Map<string, number>();
  for (const { check, severity } of result.findings)
    if (warnings || severity === 'violation') counts.set(check, (counts.get(check) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([check]) => check);
}

export const isCaught = (result: FaultResult): boolean => checksOf(result, result.warns).length > 0;

/** True where a finding names an operation that the fault is on. */
export function namesItsOperation(result: FaultResult): boolean {
  return (
    result.operations.length === 0 || result.findings.some(({ operation }) => result.operations.includes(operation))
  );
}

interface Ledger {
  readonly [check: string]: { readonly catches: readonly string[]; readonly provedBy?: string };
}

function problemsOfCheck(
  check: string,
  catches: readonly string[],
  results: readonly FaultResult[],
  whole: boolean,
): string[] {
  if (catches.length === 0) return whole ? [`${check} has no fault that it must catch`] : [];
  return catches.flatMap((fault) => {
    const result = results.find((each) => each.fault === fault);
    if (result === undefined) return whole ? [`${check} must catch ${fault}, which is no fault of the catalogue`] : [];
    return checksOf(result, result.warns).includes(check) ? [] : [`${check} must catch ${fault} and did not`];
  });
}

/**
 * What keeps the matrix from being a proof: a fault that nothing caught, a check that did not catch what it must, a check without
 * any fault, and whatever is found in the healthy service.
 */
export function judge(
  results: readonly FaultResult[],
  checks: Ledger,
  healthy: ProveAnswer,
  whole: boolean,
): readonly string[] {
  const healthyFindings = healthy.findings.filter(({ severity }) => severity === 'violation');
  const proving = Object.entries(checks).filter(([, { provedBy }]) => provedBy === undefined);
  return [
    ...results.filter((result) => !isCaught(result)).map((result) => `${result.fault} was not caught`),
    ...proving.flatMap(([check, { catches }]) => problemsOfCheck(check, catches, results, whole)),
    ...healthyFindings.map(
      ({ check, operation, message }) => `the healthy service fails ${check} on ${operation}: ${message}`,
    ),
    ...healthy.errors.map((error) => `the healthy service: ${error}`),
    ...(healthy.tests === 0 ? ['no test was run against the healthy service'] : []),
  ];
}

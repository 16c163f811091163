import type { OperationRecord, TestRecord } from '../../spec/index.ts';
import type { FormSummary, MergedFinding, OperationSummary, Verdict } from './types.ts';

interface Cell {
  readonly statuses: Map<string, number>;
  passed: boolean;
  findings: number;
  broken: boolean;
  readonly reasons: Set<string>;
}

/** The matrix of operations by form: what was answered, and whether the promises tried there are kept. */
export function summariseOperations(
  plan: readonly OperationRecord[],
  tests: readonly TestRecord[],
  findings: readonly MergedFinding[],
  fails: (finding: MergedFinding) => boolean,
): OperationSummary[] {
  const rows = new Map(plan.map((operation) => [operation.id, cellsOf(operation.forms)]));
  for (const test of tests) countTest(rows, test);
  for (const finding of findings) countFinding(rows, finding, fails(finding));
  const planned = new Map(plan.map((operation) => [operation.id, operation]));
  return [...rows].map(([id, cells]) => ({
    id,
    section: planned.get(id)?.section ?? '',
    effect: planned.get(id)?.effect ?? '',
    forms: Object.fromEntries([...cells].map(([form, cell]) => [form, formSummary(cell)])),
  }));
}

function cellsOf(forms: readonly string[]): Map<string, Cell> {
  return new Map(forms.map((form) => [form, newCell()]));
}

function newCell(): Cell {
  return { statuses: new Map(), passed: false, findings: 0, broken: false, reasons: new Set() };
}

function countTest(rows: Map<string, Map<string, Cell>>, test: TestRecord): void {
  for (const { operation, form, status, count } of test.statuses) {
    const cell = rows.get(operation)?.get(form);
    if (cell === undefined) continue;
    cell.statuses.set(status, (cell.statuses.get(status) ?? 0) + count);
    if (test.verdict === 'passed') cell.passed = true;
  }
  if (test.operation === undefined) return;
  for (const [form, cell] of rows.get(test.operation) ?? []) {
    if (test.form !== undefined && test.form !== form) continue;
    if (test.verdict === 'passed') cell.passed = true;
    else if (test.reason !== undefined) cell.reasons.add(test.reason);
  }
}

function countFinding(rows: Map<string, Map<string, Cell>>, finding: MergedFinding, fails: boolean): void {
  const cells = rows.get(finding.operation) ?? cellsOf(finding.forms);
  if (finding.operation !== '') rows.set(finding.operation, cells);
  const named = finding.forms.filter((form) => cells.has(form));
  for (const form of named.length > 0 ? named : cells.keys()) {
    const cell = cells.get(form);
    if (cell === undefined) continue;
    cell.findings += 1;
    cell.broken ||= fails || finding.severity === 'violation';
  }
}

function formSummary(cell: Cell): FormSummary {
  const verdict: Verdict = cell.broken ? 'broken' : cell.passed ? 'kept' : 'untried';
  const reason =
    cell.reasons.values().next().value ??
    (cell.statuses.size > 0 ? 'no test of it passed' : 'no test of this run reached it');
  return {
    verdict,
    statuses: Object.fromEntries([...cell.statuses].toSorted(([a], [b]) => a.localeCompare(b))),
    findings: cell.findings,
    ...(verdict === 'untried' ? { reason } : {}),
  };
}

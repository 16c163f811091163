import type { OperationRecord, TestRecord } from '../../spec/index.ts';
import { whyUnreached } from './reach.ts';
import type { Reach, ReachMap } from './reach.ts';
import type { FormSummary, FormVerdict, MergedFinding, OperationSummary } from './types.ts';

interface Cell {
  readonly statuses: Map<string, number>;
  readonly reasons: Set<string>;
  /** Set where a passed test of another operation used it. */
  used: boolean;
  passed: boolean;
  failed: boolean;
  findings: number;
  /** Tests of the operation that failed. */
  stopped: number;
}

type Cells = ReadonlyMap<string, Cell>;

/** The matrix of operations by form: what was answered, and the outcome of the tests. */
export function summariseOperations(
  plan: readonly OperationRecord[],
  tests: readonly TestRecord[],
  findings: readonly MergedFinding[],
  { reach, isSelection }: { readonly reach: ReachMap; readonly isSelection: boolean },
): OperationSummary[] {
  const rows = new Map(plan.map((operation) => [operation.id, cellsOf(operation.forms)]));
  for (const test of tests) countTest(rows, test, isSelection);
  for (const finding of findings) countFinding(rows, finding);
  const planned = new Map(plan.map((operation) => [operation.id, operation]));
  return [...rows].map(([id, cells]) => ({
    id,
    section: planned.get(id)?.section ?? '',
    effect: planned.get(id)?.effect ?? '',
    forms: Object.fromEntries([...cells].map(([form, cell]) => [form, formSummary(cell, reach.of(id, form))])),
  }));
}

function cellsOf(forms: readonly string[]): Cells {
  return new Map(
    forms.map((form) => [
      form,
      { statuses: new Map(), reasons: new Set(), used: false, passed: false, failed: false, findings: 0, stopped: 0 },
    ]),
  );
}

/** With a selection of tests, an operation that only tests of others used was not tested. */
function countTest(rows: ReadonlyMap<string, Cells>, test: TestRecord, isSelection: boolean): void {
  for (const { operation, form, status, count } of test.statuses) {
    const cell = rows.get(operation)?.get(form);
    if (cell === undefined) continue;
    cell.statuses.set(status, (cell.statuses.get(status) ?? 0) + count);
    if (test.verdict !== 'passed') continue;
    if (isSelection && test.operation !== undefined) cell.used = true;
    else cell.passed = true;
  }
  if (test.operation === undefined) return;
  for (const [form, cell] of rows.get(test.operation) ?? []) {
    if (test.form !== undefined && test.form !== form) continue;
    if (test.verdict === 'failed') cell.stopped += 1;
    if (test.verdict === 'passed') cell.passed = true;
    else if (test.reason !== undefined) cell.reasons.add(test.reason);
  }
}

function countFinding(rows: Map<string, Cells>, finding: MergedFinding): void {
  const cells = rows.get(finding.operation) ?? cellsOf(finding.forms);
  if (finding.operation !== '') rows.set(finding.operation, cells);
  const named = finding.forms.filter((form) => cells.has(form));
  for (const form of named.length > 0 ? named : cells.keys()) {
    const cell = cells.get(form);
    if (cell === undefined) continue;
    cell.findings += 1;
    cell.failed ||= finding.fails || finding.severity === 'violation';
  }
}

const SET_UP_ONLY = 'used for set-up only: no selected test is about it';

/** A form that was not reached cannot have passed. */
function formSummary({ statuses, reasons, used, passed, failed, findings, stopped }: Cell, reach: Reach): FormSummary {
  const verdict: FormVerdict = failed ? 'failed' : passed && reach.reached ? 'passed' : 'untested';
  const isSetUp = verdict === 'untested' && used && reach.reached;
  const [first = isSetUp ? SET_UP_ONLY : whyUnreached(reach, statuses.size)] = reasons;
  return {
    verdict,
    reached: reach.reached,
    statuses: Object.fromEntries([...statuses].toSorted(([a], [b]) => a.localeCompare(b))),
    ...(reach.reached || reach.refused.size === 0 ? {} : { refused: Object.fromEntries(reach.refused) }),
    findings,
    ...(verdict === 'passed' && stopped > 0 ? { stopped } : {}),
    ...(isSetUp ? { isSetUp } : {}),
    ...(verdict === 'untested' && reasons.size > 0 ? { isSkipped: true as const } : {}),
    ...(verdict === 'untested' ? { reason: first } : {}),
  };
}

import type { TestRecord } from '../../../spec/index.ts';
import { groupBy } from '../../../spec/group-by.ts';
import { hasTriedAll } from '../../summary/findings.ts';
import type { MergedFinding, OperationSummary } from '../../summary/types.ts';
import type { ReportView } from '../../view.ts';

/** From good to bad; a cell shows the worst state. */
const ORDER = ['none', 'skipped', 'passed', 'stopped', 'warned', 'error', 'failed'] as const;
export type CellState = (typeof ORDER)[number];

/** What a test shows of an operation; findings of the operation itself show their check, and the test shows nothing. */
export function testState(test: TestRecord, operation: string): CellState {
  if (test.verdict !== 'failed') return test.verdict;
  if (hasTriedAll(test)) return 'passed';
  const { findings } = test;
  return findings.length > 0 && findings.every((finding) => finding.operation !== operation) ? 'stopped' : 'none';
}

export interface MatrixRow {
  readonly operation: OperationSummary;
  readonly forms: readonly string[];
  /** By check, then form. */
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, CellState>>;
  readonly worst: CellState;
}

export interface Matrix {
  readonly checks: readonly string[];
  readonly rows: readonly MatrixRow[];
}

type Cells = Map<string, Map<string, Map<string, CellState>>>;

/** Operations by check and form, with the outcome of each check. */
export function matrixOf(view: ReportView): Matrix {
  const cells: Cells = new Map(
    view.summary.operations.map((operation) => [operation.id, new Map<string, Map<string, CellState>>()]),
  );
  const forms = new Map(view.summary.operations.map((operation) => [operation.id, Object.keys(operation.forms)]));
  for (const test of view.tests) {
    for (const operation of testedOperations(test)) {
      const state = testState(test, operation);
      for (const form of test.form === undefined ? (forms.get(operation) ?? []) : [test.form]) {
        for (const check of test.checks) raise(cells, operation, check, form, state);
      }
    }
  }
  for (const finding of view.summary.findings) raiseFinding(cells, forms, finding, finding.fails ? 'failed' : 'warned');
  const rows = view.summary.operations.map((operation) => rowOf(operation, cells.get(operation.id) ?? new Map()));
  return { checks: checksOf(cells), rows };
}

/** The operation of a test, or those that it called if it has none. */
export function testedOperations({ operation, statuses }: TestRecord): readonly string[] {
  return operation === undefined ? [...new Set(statuses.map((each) => each.operation))] : [operation];
}

function raise(cells: Cells, operation: string, check: string, form: string, state: CellState): void {
  const row = cells.get(operation);
  if (row === undefined || state === 'none') return;
  const cell = row.get(check) ?? new Map<string, CellState>();
  row.set(check, cell);
  cell.set(form, worse(cell.get(form) ?? 'none', state));
}

function raiseFinding(
  cells: Cells,
  forms: ReadonlyMap<string, readonly string[]>,
  finding: MergedFinding,
  state: CellState,
): void {
  const all = forms.get(finding.operation) ?? [];
  const named = finding.forms.filter((form) => all.includes(form));
  for (const form of named.length > 0 ? named : all) raise(cells, finding.operation, finding.check, form, state);
}

function rowOf(operation: OperationSummary, cells: MatrixRow['cells']): MatrixRow {
  const worst = [...cells.values()].flatMap((cell) => [...cell.values()]).reduce<CellState>(worse, 'none');
  return { operation, forms: Object.keys(operation.forms), cells, worst };
}

/** Checks ordered by how many operations fail them, then by how many they were run on. */
function checksOf(cells: Cells): string[] {
  const seen = groupBy(
    [...cells.values()].flatMap((row) => [...row]),
    ([check]) => check,
  );
  const weight = (check: string): number =>
    (seen.get(check) ?? []).filter(([, cell]) => [...cell.values()].includes('failed')).length;
  return [...seen].toSorted(([a, x], [b, y]) => weight(b) - weight(a) || y.length - x.length).map(([check]) => check);
}

export function byWorst(a: MatrixRow, b: MatrixRow): number {
  return ORDER.indexOf(b.worst) - ORDER.indexOf(a.worst);
}

export function worse(a: CellState, b: CellState): CellState {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b;
}

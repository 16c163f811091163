import { mergeShared, pointerOf, reporterOf } from './change.ts';
import { compareBodies, compareResponses } from './messages.ts';
import { compareParameters } from './parameters.ts';
import { unchangedPointers } from './unchanged.ts';
import type { Contract, Operation } from '../contract.ts';
import type { Change, Difference, OperationPair, ReportDifference } from './change.ts';
import type { SchemaDiff } from './schema/walk.ts';

/** Identifies an operation in both descriptions; names of path parameters do not count. */
function keyOf(operation: Operation): string {
  return `${operation.method} ${operation.path.replace(/\{[^{}/]*\}/g, '{}')}`;
}

function byKey(contract: Contract): ReadonlyMap<string, Operation> {
  return new Map(contract.operations.map((operation) => [keyOf(operation), operation]));
}

/** How the second description differs from the first for clients of the first; the most severe changes first. */
export function diffContracts(a: Contract, b: Contract): readonly Change[] {
  const found: { operation: string; difference: Difference }[] = [];
  const known = { unchanged: unchangedPointers(a, b), compared: new Map() };
  const [before, after] = [byKey(a), byKey(b)];
  const reportFor =
    ({ id }: Operation): ReportDifference =>
    (difference) =>
      found.push({ operation: id, difference });
  for (const [key, operation] of before) {
    const other = after.get(key);
    const report = reportFor(operation);
    if (other !== undefined) compareOperations({ a, b, report, ...known }, { a: operation, b: other });
    else {
      const pointerA = pointerOf(operation);
      reporterOf(report, { side: 'operation', pointerA, subject: operation.id })('breaking', 'was removed');
    }
  }
  for (const [key, operation] of after) {
    if (before.has(key)) continue;
    const pointerB = pointerOf(operation);
    reporterOf(reportFor(operation), { side: 'operation', pointerB, subject: operation.id })('harmless', 'was added');
  }
  return mergeShared(found);
}

function compareOperations(comparison: SchemaDiff, pair: OperationPair): void {
  compareForms(pair, comparison.report);
  comparePermissions(pair, comparison.report);
  compareParameters(comparison, pair);
  compareBodies(comparison, pair);
  compareResponses(comparison, pair);
}

const hasForm = ({ forms }: Operation, name: string): boolean => forms.some((form) => form.name === name);

function compareForms({ a, b }: OperationPair, report: ReportDifference): void {
  const pointers = { pointerA: pointerOf(a), pointerB: pointerOf(b) };
  for (const { name, path, pointer } of a.forms.filter(({ name }) => !hasForm(b, name))) {
    const subject = `the form ${name || path}`;
    reporterOf(report, { side: 'operation', ...pointers, pointerA: pointer, subject })('breaking', 'was removed');
  }
  for (const { name, path, pointer } of b.forms.filter(({ name }) => !hasForm(a, name))) {
    const subject = `the form ${name || path}`;
    reporterOf(report, { side: 'operation', ...pointers, pointerB: pointer, subject })('harmless', 'was added');
  }
}

/** 0: no token, 1: any token, 2: a token with a permission. */
function levelOf(permission: string): number {
  if (permission === 'none') return 0;
  return permission === 'any' || permission === 'unstated' ? 1 : 2;
}

function comparePermissions({ a, b }: OperationPair, report: ReportDifference): void {
  if (a.permission === b.permission || a.authUndeclared === true || b.authUndeclared === true) return;
  const pointers = { pointerA: pointerOf(a), pointerB: pointerOf(b) };
  const severity = levelOf(b.permission) < levelOf(a.permission) ? 'harmless' : 'breaking';
  const say = reporterOf(report, { side: 'operation', ...pointers, subject: 'the permission' });
  say(severity, `is now ${b.permission}, was ${a.permission}`);
}

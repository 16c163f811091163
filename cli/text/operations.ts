import pc from 'picocolors';
import { visibleLine } from '../../reports/index.ts';
import type { Contract, Operation } from '../../spec/index.ts';

function rows(operation: Operation, widths: { readonly id: number; readonly effect: number }): string {
  const forms = operation.forms.map(({ name }) => name).join(' ');
  return `  ${visibleLine(operation.id).padEnd(widths.id)}  ${operation.effect.padEnd(widths.effect)}  ${visibleLine(operation.permission)}  ${pc.dim(visibleLine(forms))}`;
}

function groupBySection(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const sections = new Map<string, Operation[]>();
  for (const operation of operations) {
    const name = operation.section ?? operation.tag;
    sections.set(name, [...(sections.get(name) ?? []), operation]);
  }
  return sections;
}

/** The operations by section, one a line: id, effect, permission, forms. */
export function operationLines(contract: Contract): readonly string[] {
  const { operations } = contract;
  const widths = {
    id: Math.min(60, Math.max(...operations.map(({ id }) => id.length))),
    effect: Math.max(...operations.map(({ effect }) => effect.length)),
  };
  const sections = groupBySection(operations);
  const body = [...sections].flatMap(([section, group]) => [
    '',
    pc.bold(visibleLine(section)),
    ...group.map((operation) => rows(operation, widths)),
  ]);
  const forms = operations.reduce((sum, operation) => sum + operation.forms.length, 0);
  return [
    `${visibleLine(`${contract.title} ${contract.version}`)} (${contract.dialect}): ${operations.length} operations in ${forms} forms`,
    ...body,
  ];
}

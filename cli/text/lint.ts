import pc from 'picocolors';
import { visibleLine } from '../../reports/index.ts';
import type { Contract, DescriptionProblem } from '../../spec/index.ts';

const MARKS = { error: pc.red('error'), warning: pc.yellow('warning'), note: pc.dim('note') } as const;

/** Where an odd thing has the same code in many places, this many are shown. */
const SHOWN = 10;

function show({ severity, code, pointer, message, mend }: DescriptionProblem): string {
  return `${MARKS[severity]} ${code} ${pc.dim(visibleLine(`#${pointer}`))}\n    ${visibleLine(message)}\n    ${visibleLine(mend)}`;
}

function showGroup(group: readonly DescriptionProblem[]): readonly string[] {
  const rest = group.length - SHOWN;
  return [...group.slice(0, SHOWN).map(show), ...(rest > 0 ? [pc.dim(`    … and ${rest} more of ${group[0]?.code ?? ''}; --json has them all`)] : [])];
}

/** What is odd in a description, with the place and the mend; the worst first. */
export function lintLines(contract: Contract): readonly string[] {
  const head = `${contract.source}: ${visibleLine(contract.title)} (${contract.dialect}), ${contract.operations.length} operations`;
  const counts = (['error', 'warning', 'note'] as const).map((severity) => `${contract.problems.filter((problem) => problem.severity === severity).length} ${severity}s`);
  const groups = new Map<string, DescriptionProblem[]>();
  for (const severity of ['error', 'warning', 'note'] as const) {
    for (const problem of contract.problems) {
      if (problem.severity === severity) groups.set(problem.code, [...(groups.get(problem.code) ?? []), problem]);
    }
  }
  return [head, ...[...groups.values()].flatMap(showGroup), counts.join(', ')];
}

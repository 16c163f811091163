import pc from 'picocolors';
import { visibleLine } from '../../reports/index.ts';
import type { LintProblem } from '../../spec/index.ts';

const MARKS = { error: pc.red('error'), warning: pc.yellow('warning'), note: pc.dim('note') } as const;

/** Where an odd thing has the same code in many places, this many are shown. */
const SHOWN = 10;

function show({ severity, code, pointer, message, hint, file, line, column }: LintProblem): string {
  const place = line === undefined ? file : `${file}:${line}${column === undefined ? '' : `:${column}`}`;
  return `${visibleLine(place)}: ${MARKS[severity]} ${code} ${pc.dim(visibleLine(`#${pointer}`))}\n    ${visibleLine(message)}\n    ${visibleLine(hint)}`;
}

function showGroup(group: readonly LintProblem[]): readonly string[] {
  const rest = group.length - SHOWN;
  return [
    ...group.slice(0, SHOWN).map(show),
    ...(rest > 0 ? [pc.dim(`    … and ${rest} more of ${group[0]?.code ?? ''}; --json has them all`)] : []),
  ];
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** What is odd in a description, as compilers say it: file, line and column, the code, the pointer, the hint. */
export function lintLines(problems: readonly LintProblem[]): readonly string[] {
  const groups = new Map<string, LintProblem[]>();
  for (const problem of problems) groups.set(problem.code, [...(groups.get(problem.code) ?? []), problem]);
  const counts = (['error', 'warning', 'note'] as const).map((word) =>
    counted(problems.filter(({ severity }) => severity === word).length, word),
  );
  return [...[...groups.values()].flatMap(showGroup), counts.join(', ')];
}

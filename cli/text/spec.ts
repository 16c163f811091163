import { count, outputPaint as paint, visibleLine } from '../../reports/index.ts';
import { sectionTitle } from '../../reports/text/section.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { Change, Contract, LintProblem, Operation } from '../../spec/index.ts';

/** Most problems shown of each code; --json has all. */
const SHOWN = 10;

const CHANGES = {
  breaking: paint.red('breaking'),
  risky: paint.yellow('risky   '),
  harmless: paint.dim('harmless'),
} as const;
const SEVERITIES = { error: paint.red('error'), warning: paint.yellow('warning'), note: paint.dim('note') } as const;

/** The operations by section, one line each: id, effect, permission, and forms where an operation has several. */
export function operationLines({ operations, title, version, dialect }: Contract): readonly string[] {
  const hasForms = operations.some(({ forms }) => forms.length > 1);
  const cells = ({ id, effect, permission, forms }: Operation): readonly string[] =>
    [id, effect, permission, ...(hasForms ? [forms.map(({ name }) => name).join(' ')] : [])].map(visibleLine);
  const head = ['operation', 'effect', 'permission', ...(hasForms ? ['forms'] : [])];
  const rows = [head, ...operations.map(cells)];
  const widths = head.map((_, at) => Math.min(60, Math.max(...rows.map((row) => row[at]?.length ?? 0))));
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd();
  const forms = operations.reduce((sum, operation) => sum + operation.forms.length, 0);
  const sections = [
    ...groupBy(operations, ({ section, tag }) => (section === undefined ? tag : sectionTitle(section))),
  ];
  return [
    `${visibleLine(`${title} ${version}`)} (${dialect}): ${count(operations.length, 'operation')}${hasForms ? ` in ${count(forms, 'form')}` : ''}`,
    '',
    paint.dim(line(head)),
    ...sections.flatMap(([section, members]) => [
      '',
      paint.bold(visibleLine(section)),
      ...members.map((each) => line(cells(each))),
    ]),
  ];
}

/** Problems in a description, as compilers report them: file, line and column, severity, code, pointer, hint. */
export function lintLines(problems: readonly LintProblem[]): readonly string[] {
  const groups = [...groupBy(problems, ({ code }) => code)].flatMap(([code, members]) => {
    const rest = members.length - SHOWN;
    const more = rest > 0 ? [paint.dim(`    … and ${rest} more of ${code}; use --json for all`)] : [];
    return [...members.slice(0, SHOWN).map(lintText), ...more];
  });
  const counts = (['error', 'warning', 'note'] as const).map((word) =>
    count(problems.filter(({ severity }) => severity === word).length, word),
  );
  return [...groups, counts.join(', ')];
}

function lintText({ severity, code, pointer, message, hint, file, line, column }: LintProblem): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const head = `${visibleLine(place)}: ${SEVERITIES[severity]} ${code} ${paint.dim(visibleLine(`#${pointer}`))}`;
  return `${head}\n    ${visibleLine(message)}\n    hint: ${visibleLine(hint)}`;
}

/** Changes between two descriptions, most severe first. */
export function changeLines(changes: readonly Change[]): readonly string[] {
  const counts = (['breaking', 'risky', 'harmless'] as const).map(
    (word) => `${changes.filter((change) => change.class === word).length} ${word}`,
  );
  return [...changes.map(changeText), counts.join(', ')];
}

function changeText({ class: kind, others, operation, side, message, pointerA, pointerB }: Change): string {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const places = [
    ...(pointerA === undefined ? [] : [`before #${pointerA}`]),
    ...(pointerB === undefined ? [] : [`after #${pointerB}`]),
  ];
  const head = `${CHANGES[kind]} ${visibleLine(operation)}${more} (${side}): ${visibleLine(message)}`;
  return `${head}\n         ${paint.dim(visibleLine(places.join(', ')))}`;
}

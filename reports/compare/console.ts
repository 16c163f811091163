import type { Paint } from '../console/paint.ts';
import { findingLines } from '../console/findings.ts';
import { sectionLines } from '../console/ending.ts';
import type { Section } from '../console/ending.ts';
import { styleOf } from '../console/console.ts';
import type { ConsoleOptions } from '../console/console.ts';
import { groupFindings, groupsOf } from '../summary/groups.ts';
import type { MergedFinding } from '../summary/types.ts';
import { count, duration, rounded } from '../text/numbers.ts';
import { clip, visibleLine } from '../text/visible.ts';
import { hang } from '../text/width.ts';
import { isSame, isWorse } from './compare.ts';
import type { ValueChange, Comparison, OperationChange } from './types.ts';

const SHOWN = 40;
const NEW_FINDINGS = 'New findings';

/** Prints what changed between two runs. */
export function printComparison(comparison: Comparison, options: ConsoleOptions, files: readonly string[]): void {
  const { paint, width } = styleOf(options);
  options.stream.write(`${comparisonLines(comparison, files, paint, width()).join('\n')}\n`);
}

export function comparisonSentence(comparison: Comparison): string {
  const { findings, requirements, operations, observations, load } = comparison;
  const text = ([amount, one, many]: readonly [number, string, string?]): string => count(amount, one, many);
  const unchanged = [findings.same.length - findings.worse.length, 'unchanged finding'] as const;
  const again = [findings.untested.length, 'finding not tested again', 'findings not tested again'] as const;
  if (isSame(comparison) && load.length > 0) return 'The load figures are compared below; nothing else changed.';
  if (isSame(comparison))
    return `${['No changes', ...[unchanged, again].filter(([amount]) => amount > 0).map(text)].join('; ')}.`;
  const parts = [
    [findings.new.length, 'new finding'],
    [findings.worse.length, 'finding that fails the run now', 'findings that fail the run now'],
    [findings.fixed.length, 'fixed finding'],
    unchanged,
    again,
    [requirements.length, 'changed requirement'],
    [new Set(operations.map(({ operation }) => operation)).size, 'changed operation'],
    [observations.length, 'changed observation'],
  ] as const;
  return `${parts
    .filter(([amount]) => amount > 0)
    .map(text)
    .join(', ')}.`;
}

function comparisonLines(comparison: Comparison, files: readonly string[], paint: Paint, columns: number): string[] {
  const { before, after, findings } = comparison;
  const word = isWorse(comparison) ? 'WORSE' : isSame(comparison) && comparison.load.length === 0 ? 'SAME' : 'CHANGED';
  const added = groupsOf({ findings: findings.new, groups: groupFindings(findings.new) });
  const sections: readonly Section[] = [
    [NEW_FINDINGS, findingLines(added, paint, columns).slice(1)],
    ['Fail now', findings.worse.map((finding) => `  ${paint.red('✗')} ${visibleLine(clip(titleOf(finding), 300))}`)],
    ['Fixed', findings.fixed.map((finding) => `  ${paint.green('✓')} ${visibleLine(clip(titleOf(finding), 300))}`)],
    ['Not tested again', findings.untested.map((finding) => `  · ${visibleLine(clip(titleOf(finding), 300))}`)],
    ['Requirements', changeLines(comparison.requirements, paint)],
    [
      'Operations',
      comparison.operations.map((change) =>
        `  ${visibleLine(change.operation)} ${paint.dim(visibleLine(change.form))}  ${verdictChange(change)}  ${statusChange(change)}`.trimEnd(),
      ),
    ],
    ['Undocumented behavior', changeLines(comparison.observations, paint)],
    [
      'Time per request',
      comparison.durations.map(
        (change) =>
          `  ${visibleLine(change.operation)}  ${duration(change.beforeMs)} ${paint.dim('→')} ${duration(change.afterMs)}`,
      ),
    ],
    [
      'Load',
      comparison.load.map((change) =>
        `  ${visibleLine(change.scenario)} ${change.measure}  ${rounded(change.before)} ${paint.dim('→')} ${rounded(change.after)}  ${paint.dim(ratio(change.before, change.after))}`.trimEnd(),
      ),
    ],
  ];
  const reports: Section = ['Reports', files.map((file) => `  ${visibleLine(file)}`)];
  return [
    `${paint.badge(isWorse(comparison) ? 'failed' : 'passed', word)} ${paint.bold(comparisonSentence(comparison))}`,
    paint.dim(`${visibleLine(before.baseUrl)} ${before.startedAt} → ${visibleLine(after.baseUrl)} ${after.startedAt}`),
    ...comparison.notes.flatMap((note) => hang(`${paint.yellow('!')} `, visibleLine(note), columns)),
    ...sectionLines([...sections.map((section) => shortened(section, paint)), reports], paint),
  ];
}

/** A section with at most {@link SHOWN} lines, except for new findings. */
function shortened([title, lines]: Section, paint: Paint): Section {
  const rest = lines.length - SHOWN;
  if (rest <= 0 || title === NEW_FINDINGS) return [title, lines];
  return [title, [...lines.slice(0, SHOWN), paint.dim(`  … and ${count(rest, 'more', 'more')} in the reports`)]];
}

function changeLines(changes: readonly ValueChange[], paint: Paint): string[] {
  return changes.map(
    ({ what, before = 'none', after = 'none' }) =>
      `  ${visibleLine(what)}  ${visibleLine(clip(before, 200))} ${paint.dim('→')} ${visibleLine(clip(after, 200))}`,
  );
}

/** `passed → failed`. */
export function verdictChange({ before, after }: OperationChange): string {
  const [was, is] = [before, after].map((state) => state?.verdict ?? 'not in the run');
  return was === is ? (is ?? '') : `${was} → ${is}`;
}

/** Statuses that only one of the runs has: `+500 −200`. */
export function statusChange({ before, after }: OperationChange): string {
  const [old, now] = [before?.statuses ?? [], after?.statuses ?? []];
  return [
    ...now.filter((status) => !old.includes(status)).map((status) => `+${status}`),
    ...old.filter((status) => !now.includes(status)).map((status) => `−${status}`),
  ].join(' ');
}

/** The message of a finding, with its operation if it does not contain it. */
export function titleOf({ operation, message }: Pick<MergedFinding, 'operation' | 'message'>): string {
  return message.includes(operation) ? message : `${operation}: ${message}`;
}

/** `+12%`. */
export function ratio(before: number, after: number): string {
  if (before === 0) return after === 0 ? '' : 'from none';
  const change = Math.round((after / before - 1) * 100);
  return `${change >= 0 ? '+' : ''}${change}%`;
}

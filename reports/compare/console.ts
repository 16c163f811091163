import type { Paint } from '../console/paint.ts';
import { findingLines } from '../console/findings.ts';
import { sectionLines } from '../console/ending.ts';
import type { Section } from '../console/ending.ts';
import { styleOf } from '../console/console.ts';
import type { ConsoleOptions } from '../console/console.ts';
import { groupFindings, groupsOf } from '../summary/groups.ts';
import { count, duration, rounded } from '../text/numbers.ts';
import { clip, visibleLine } from '../text/visible.ts';
import { wrap } from '../text/width.ts';
import { isSame, isWorse } from './compare.ts';
import type { Change, Comparison, OperationState } from './types.ts';

const SHOWN = 40;

/** Prints what changed between two runs. */
export function printComparison(comparison: Comparison, options: ConsoleOptions, files: readonly string[] = []): void {
  const { paint, width } = styleOf(options);
  options.stream.write(`${comparisonLines(comparison, files, paint, width()).join('\n')}\n`);
}

/** The change in one sentence. */
export function comparisonSentence(comparison: Comparison): string {
  const { findings, requirements, operations, observations } = comparison;
  if (isSame(comparison))
    return `No changes${findings.same.length > 0 ? `; ${count(findings.same.length, 'unchanged finding')}` : ''}.`;
  const parts = [
    [findings.new.length, 'new finding'],
    [findings.fixed.length, 'fixed finding'],
    [findings.same.length, 'unchanged finding'],
    [requirements.length, 'changed requirement'],
    [operations.length, 'changed operation form'],
    [observations.length, 'changed observation'],
  ] as const;
  return `${parts
    .filter(([amount]) => amount > 0)
    .map(([amount, one]) => count(amount, one))
    .join(', ')}.`;
}

function comparisonLines(comparison: Comparison, files: readonly string[], paint: Paint, columns: number): string[] {
  const { before, after, findings } = comparison;
  const word = isWorse(comparison) ? 'WORSE' : isSame(comparison) ? 'SAME' : 'CHANGED';
  const added = groupsOf({ findings: findings.new, groups: groupFindings(findings.new) });
  const sections: readonly Section[] = [
    ['New findings', findingLines(added, paint, columns).slice(1)],
    [
      'Fixed',
      findings.fixed.map(
        (finding) =>
          `  ${paint.green('✓')} ${visibleLine(finding.operation)} ${visibleLine(clip(finding.message, 300))}`,
      ),
    ],
    [
      'Not tested again',
      findings.untested.map(
        (finding) => `  · ${visibleLine(finding.operation)} ${visibleLine(clip(finding.message, 300))}`,
      ),
    ],
    ['Requirements', changeLines(comparison.requirements, paint)],
    [
      'Operations',
      comparison.operations
        .slice(0, SHOWN)
        .map(
          (change) =>
            `  ${visibleLine(change.operation)} ${paint.dim(visibleLine(change.form))}  ${stateText(change.before)} ${paint.dim('→')} ${stateText(change.after)}`,
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
      comparison.load.map(
        (change) =>
          `  ${visibleLine(change.scenario)} ${change.measure}  ${rounded(change.before)} ${paint.dim('→')} ${rounded(change.after)}  ${paint.dim(ratio(change.before, change.after))}`,
      ),
    ],
    ['Reports', files.map((file) => `  ${visibleLine(file)}`)],
  ];
  return [
    `${paint.badge(isWorse(comparison) ? 'failed' : 'passed', word)} ${paint.bold(comparisonSentence(comparison))}`,
    paint.dim(`${visibleLine(before.baseUrl)} ${before.startedAt} → ${visibleLine(after.baseUrl)} ${after.startedAt}`),
    ...comparison.notes.flatMap((note) =>
      wrap(visibleLine(note), columns - 2).map((line) => `${paint.yellow('!')} ${line}`),
    ),
    ...sectionLines(sections, paint),
  ];
}

function changeLines(changes: readonly Change[], paint: Paint): string[] {
  return changes
    .slice(0, SHOWN)
    .map(
      (change) =>
        `  ${visibleLine(change.what)}  ${visibleLine(clip(change.before ?? 'none', 200))} ${paint.dim('→')} ${visibleLine(clip(change.after ?? 'none', 200))}`,
    );
}

/** `passed 200 404`. */
export function stateText(state: OperationState | undefined): string {
  return state === undefined ? 'not in this run' : [state.verdict, ...state.statuses].join(' ');
}

/** `+12 %`. */
export function ratio(before: number, after: number): string {
  if (before === 0) return after === 0 ? '' : 'from none';
  const change = Math.round((after / before - 1) * 100);
  return `${change >= 0 ? '+' : ''}${change} %`;
}

import { createPaint, wantsColour } from '../console/paint.ts';
import type { Paint } from '../console/paint.ts';
import { findingLines } from '../console/findings.ts';
import type { ConsoleOptions } from '../console/create.ts';
import { count, duration } from '../text/numbers.ts';
import { clip, visibleLine } from '../text/visible.ts';
import { wrap } from '../text/width.ts';
import { isSame, isWorse } from './compare.ts';
import type { Change, Comparison, OperationState } from './types.ts';

const SHOWN = 40;

/** Prints what changed between two runs. */
export function printComparison(comparison: Comparison, options: ConsoleOptions, files: readonly string[] = []): void {
  const columns = typeof options.columns === 'function' ? options.columns() : (options.columns ?? 100);
  const paint = createPaint(options.colour ?? wantsColour(options.isTTY, process.env));
  options.stream.write(`${comparisonLines(comparison, files, paint, Math.max(40, columns)).join('\n')}\n`);
}

/** The change in one sentence. */
export function comparisonSentence(comparison: Comparison): string {
  const { findings, requirements, operations, observations } = comparison;
  if (isSame(comparison))
    return `Nothing changed${findings.same.length > 0 ? `; ${count(findings.same.length, 'finding')} in both` : ''}.`;
  const parts = [
    [findings.new.length, 'new finding'],
    [findings.fixed.length, 'fixed finding'],
    [findings.same.length, 'finding in both', 'findings in both'],
    [requirements.length, 'requirement with another verdict', 'requirements with another verdict'],
    [operations.length, 'operation form that answers otherwise', 'operation forms that answer otherwise'],
    [observations.length, 'other observation'],
  ] as const;
  return `${parts
    .filter(([amount]) => amount > 0)
    .map(([amount, one, many]) => count(amount, one, many))
    .join(', ')}.`;
}

function comparisonLines(comparison: Comparison, files: readonly string[], paint: Paint, columns: number): string[] {
  const { before, after, findings } = comparison;
  const word = isWorse(comparison) ? 'WORSE' : isSame(comparison) ? 'SAME' : 'CHANGED';
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['New findings', findingLines(findings.new, paint, columns).slice(1)],
    [
      'Fixed',
      findings.fixed.map(
        (finding) =>
          `  ${paint.green('✓')} ${visibleLine(finding.operation)} ${visibleLine(clip(finding.message, 300))}`,
      ),
    ],
    [
      'Not tried again',
      findings.untried.map(
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
    ['Seen where the document is silent', changeLines(comparison.observations, paint)],
    [
      'Time a request',
      comparison.durations.map(
        (change) =>
          `  ${visibleLine(change.operation)}  ${duration(change.beforeMs)} ${paint.dim('→')} ${duration(change.afterMs)}`,
      ),
    ],
    [
      'Load',
      comparison.load.map(
        (change) =>
          `  ${visibleLine(change.scenario)} ${change.measure}  ${round(change.before)} ${paint.dim('→')} ${round(change.after)}  ${paint.dim(ratio(change.before, change.after))}`,
      ),
    ],
    ['Reports', files.map((file) => `  ${visibleLine(file)}`)],
  ];
  return [
    `${paint.badge(isWorse(comparison) ? 'broken' : 'kept', word)} ${paint.bold(comparisonSentence(comparison))}`,
    paint.dim(`${visibleLine(before.baseUrl)} ${before.startedAt} → ${visibleLine(after.baseUrl)} ${after.startedAt}`),
    ...comparison.notes.flatMap((note) =>
      wrap(visibleLine(note), columns - 2).map((line) => `${paint.yellow('!')} ${line}`),
    ),
    ...sections.filter(([, lines]) => lines.length > 0).flatMap(([title, lines]) => ['', paint.bold(title), ...lines]),
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

/** `kept 200 404`, or that the run has none. */
export function stateText(state: OperationState | undefined): string {
  return state === undefined ? 'not in the run' : [state.verdict, ...state.statuses].join(' ');
}

/** `+12 %`. */
export function ratio(before: number, after: number): string {
  if (before === 0) return after === 0 ? '' : 'from none';
  const change = Math.round((after / before - 1) * 100);
  return `${change >= 0 ? '+' : ''}${change} %`;
}

export function round(value: number): string {
  return String(Number(value.toPrecision(4)));
}

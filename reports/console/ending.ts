import type { Summary } from '../summary/types.ts';
import { count } from '../text/numbers.ts';
import { headline, VERDICT_WORD } from '../text/headline.ts';
import { visibleLine } from '../text/visible.ts';
import { wrap } from '../text/width.ts';
import { exitCodeOf } from '../summary/verdict.ts';
import { coverageLines, effectLines, observationLines, skipLines } from './coverage.ts';
import { findingLines } from './findings.ts';
import { capacityLines, loadLines } from './load.ts';
import { matrixLines } from './matrix.ts';
import type { Paint } from './paint.ts';

const ERRORS = 10;

/** All that stands on the console when a run has ended: the verdict first, then why, then where to read on. */
export function endingLines(summary: Summary, files: readonly string[], paint: Paint, columns: number): string[] {
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Errors', errorLines(summary, paint, columns)],
    ['Findings', findingLines(summary.findings, paint, columns).slice(1)],
    ['Load', loadLines(summary, paint, columns)],
    ['Capacity', capacityLines(summary, paint)],
    ['Operations', matrixLines(summary.operations, paint, columns)],
    ['Requirements', coverageLines(summary, paint, columns)],
    ['Seen where the document is silent', observationLines(summary, paint, columns)],
    ['Made by this run', effectLines(summary, paint)],
    [`Skipped: ${count(summary.skips.length, 'test')}`, skipLines(summary.skips, paint, columns)],
    [`Cut short: ${count(summary.cutShort.length, 'test')}`, skipLines(summary.cutShort, paint, columns)],
    ['Reports', files.map((file) => `  ${visibleLine(file)}`)],
  ];
  return [
    '',
    ...verdictLines(summary, paint, columns),
    ...sections.filter(([, lines]) => lines.length > 0).flatMap(([title, lines]) => ['', paint.bold(title), ...lines]),
    '',
    `${paint.badge(summary.verdict, VERDICT_WORD[summary.verdict])} ${paint.dim(`exit code ${exitCodeOf(summary)}`)}`,
  ];
}

function verdictLines(summary: Summary, paint: Paint, columns: number): string[] {
  const { sentence, details } = headline(summary);
  const word = VERDICT_WORD[summary.verdict];
  const lines = wrap(visibleLine(sentence), columns - word.length - 3);
  const indent = ' '.repeat(word.length + 3);
  return [
    ...lines.map((line, index) =>
      index === 0 ? `${paint.badge(summary.verdict, word)} ${paint.bold(line)}` : `${indent}${paint.bold(line)}`,
    ),
    ...details.map((line) => paint.dim(visibleLine(line))),
  ];
}

function errorLines(summary: Summary, paint: Paint, columns: number): string[] {
  const shown = summary.errors
    .slice(0, ERRORS)
    .flatMap((error) => [
      ...wrap(
        visibleLine(error.test === undefined ? error.message : `${error.test}: ${error.message}`),
        columns - 4,
      ).map((line, index) => `  ${index === 0 ? paint.red('!') : ' '} ${line}`),
      ...(error.hint === undefined
        ? []
        : wrap(visibleLine(error.hint), columns - 4).map((line) => `    ${paint.cyan(line)}`)),
    ]);
  const rest = summary.errors.length - ERRORS;
  return rest > 0 ? [...shown, paint.dim(`  … and ${count(rest, 'more error')} in the reports`)] : shown;
}

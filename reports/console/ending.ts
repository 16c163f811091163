import { dirname, join } from 'node:path';
import type { Summary } from '../summary/types.ts';
import { groupsOf } from '../summary/groups.ts';
import { exitCodeOf } from '../summary/verdict.ts';
import { count } from '../text/numbers.ts';
import { headline } from '../text/headline.ts';
import { toleratedLines } from '../text/tolerated.ts';
import { visibleLine } from '../text/visible.ts';
import { wrap } from '../text/width.ts';
import { coverageLines, effectLines, observationLines, skipLines } from './coverage.ts';
import { findingLines } from './findings.ts';
import type { ReplayOf } from './findings.ts';
import { capacityLines, loadLines } from './load.ts';
import { matrixLines } from './matrix.ts';
import type { Paint } from './paint.ts';

const ERRORS = 10;

export type Section = readonly [title: string, lines: readonly string[]];

/** What the console prints when a run has ended: the verdict first, then why, then where to read on. */
export function endingLines(
  summary: Summary,
  files: readonly string[],
  paint: Paint,
  columns: number,
  command = 'assay',
): string[] {
  const replayOf = replayIn(files, command);
  const sections: readonly Section[] = [
    ['Errors', errorLines(summary, paint, columns)],
    ['Findings', findingLines(groupsOf(summary), paint, columns, replayOf).slice(1)],
    ['Load', loadLines(summary, paint, columns)],
    ['Capacity', capacityLines(summary, paint)],
    ['Operations', matrixLines(summary.operations, paint, columns)],
    ['Requirements', coverageLines(summary, paint, columns)],
    ['Undocumented behavior', observationLines(summary, paint, columns)],
    ['Resources created', effectLines(summary, paint)],
    ['Tolerated', toleratedLines(summary).map((line) => `  ${visibleLine(line)}`)],
    [`Skipped: ${count(summary.skips.length, 'test')}`, skipLines(summary.skips, paint, columns)],
    [`Cut short: ${count(summary.cutShort.length, 'test')}`, skipLines(summary.cutShort, paint, columns)],
    ['Reports', files.map((file) => `  ${visibleLine(file)}`)],
  ];
  const word = summary.verdict.toUpperCase();
  return [
    '',
    ...verdictLines(summary, paint, columns),
    ...sectionLines(sections, paint),
    '',
    `${paint.badge(summary.verdict, word)} ${paint.dim(`exit code ${exitCodeOf(summary)}`)}`,
  ];
}

/** Where `assay replay` looks without a folder. */
const USUAL_DIR = 'assay-report';

function replayIn(files: readonly string[], command: string): ReplayOf {
  const dir = dirname(files[0] ?? join(USUAL_DIR, 'summary.json'));
  return (fingerprint) => `${command} replay ${fingerprint}${dir === USUAL_DIR ? '' : ` ${quoted(dir)}`}`;
}

/** As a word of a shell. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Titles and lines of the sections that have any. */
export function sectionLines(sections: readonly Section[], paint: Paint): string[] {
  return sections
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([title, lines]) => ['', paint.bold(title), ...lines]);
}

/** The verdict in a sentence, and how it came about. */
export function verdictLines(summary: Summary, paint: Paint, columns: number): string[] {
  const word = summary.verdict.toUpperCase();
  const { sentence, details } = headline(summary);
  const indent = ' '.repeat(word.length + 2);
  const lines = wrap(visibleLine(sentence), columns - word.length - 3);
  return [
    ...lines.map((line, index) => `${index === 0 ? paint.badge(summary.verdict, word) : indent} ${paint.bold(line)}`),
    ...details.map((line) => paint.dim(visibleLine(line))),
  ];
}

function errorLines({ errors }: Summary, paint: Paint, columns: number): string[] {
  const shown = errors.slice(0, ERRORS).flatMap(({ test, message, hint }) => {
    const text = wrap(visibleLine(test === undefined ? message : `${test}: ${message}`), columns - 4);
    const advice = hint === undefined ? [] : wrap(visibleLine(`hint: ${hint}`), columns - 4);
    return [
      ...text.map((line, index) => `  ${index === 0 ? paint.red('!') : ' '} ${line}`),
      ...advice.map((line) => `    ${paint.cyan(line)}`),
    ];
  });
  const rest = errors.length - ERRORS;
  return rest > 0 ? [...shown, paint.dim(`  … and ${count(rest, 'more error')} in the reports`)] : shown;
}

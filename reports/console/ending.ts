import { dirname } from 'node:path';
import type { Summary } from '../summary/types.ts';
import { groupsOf } from '../summary/groups.ts';
import type { ResolvedGroup } from '../summary/groups.ts';
import { unselected } from '../summary/reach.ts';
import { exitCodeOf } from '../summary/verdict.ts';
import { errorText, splitErrors } from '../text/errors.ts';
import { count } from '../text/numbers.ts';
import { headline } from '../text/headline.ts';
import { replayIn, USUAL_DIR } from '../text/replay.ts';
import { retryLines } from '../text/retries.ts';
import { visibleLine } from '../text/visible.ts';
import { hang, wrap } from '../text/width.ts';
import { coverageLines, effectLines, observationLines, skipLines } from './coverage.ts';
import { findingLine, findingLines } from './findings.ts';
import { capacityLines, loadLines } from './load.ts';
import { matrixLines } from './matrix.ts';
import type { Paint } from './paint.ts';

const ERRORS = 10;

export type Section = readonly [title: string, lines: readonly string[]];

/** What the console prints when a run has ended: the verdict first, then why, then where to read on. */
export function endingLines(summary: Summary, files: readonly string[], paint: Paint, style: EndingStyle): string[] {
  const { columns, verbose } = style;
  const apart = new Set(unselected(summary));
  const operations = summary.operations.filter((each) => !apart.has(each));
  const notes = (entries: readonly (readonly string[])[]): readonly string[] =>
    verbose ? entries.flat() : folded(entries, paint);
  const sections: readonly Section[] = [
    ['Errors', errorLines(summary, paint, columns)],
    ['Findings', findingsIn(summary, files, paint, style)],
    ['Load', loadLines(summary, paint, columns)],
    ['Capacity', capacityLines(summary, paint, columns)],
    ['Operations', matrixLines({ ...summary, operations }, paint, columns, verbose)],
    ['Requirements', coverageLines(summary, paint, columns, verbose)],
    ['Undocumented behavior', verbose ? observationLines(summary, paint, columns) : []],
    ['Resources created', [...notes(effectLines(summary, paint, columns)), ...cleanHint(summary, style)]],
    ['Retries and late changes', notes(retryLines(summary).map((line) => hang('  ', visibleLine(line), columns)))],
    [`Skipped: ${count(summary.skips.length, 'test')}`, notes(skipLines(summary.skips, paint, columns))],
    [
      `Fewer cases than planned: ${count(summary.cutShort.length, 'test')}`,
      notes(skipLines(summary.cutShort, paint, columns)),
    ],
    ['Reports', files.map((file) => `  ${visibleLine(file)}`)],
  ];
  const word = summary.verdict.toUpperCase();
  return [
    '',
    ...verdictLines(summary, paint, columns),
    ...sectionLines(sections, paint),
    '',
    `${paint.badge(summary.verdict, word)} ${paint.dim(`(exit code ${exitCodeOf(summary)})`)}`,
  ];
}

export interface EndingStyle {
  readonly columns: number;
  /** The words that start Assay. */
  readonly command: string;
  readonly verbose: boolean;
}

/** Entries of a section that are shown without `--verbose`. */
const NOTES = 2;

function folded(entries: readonly (readonly string[])[], paint: Paint): readonly string[] {
  const rest = entries.length - NOTES;
  if (rest <= 1) return entries.flat();
  return [...entries.slice(0, NOTES).flat(), paint.dim(`  … and ${rest} more (use --verbose)`)];
}

/** How to remove what is left; not wrapped, so that the command can be pasted. */
function cleanHint({ effects, target }: Summary, { command }: EndingStyle): readonly string[] {
  if (target.embedded || effects.left.length === 0) return [];
  return [`  to remove them: ${command} clean --base-url ${visibleLine(target.baseUrl)}`];
}

/** What fails the run first, in full. Warnings and known findings are one line each where they are not what a reader looks for. */
function findingsIn(summary: Summary, files: readonly string[], paint: Paint, style: EndingStyle): readonly string[] {
  const { columns, command, verbose } = style;
  const groups = groupsOf(summary);
  const fails = ({ lead, same, related }: ResolvedGroup): boolean =>
    [lead, ...same, ...related].some((each) => each.fails);
  const isFolded = !verbose && (summary.verdict === 'passed' || groups.some(fails));
  const folded = isFolded ? groups.filter((each) => !fails(each)) : [];
  const full = groups.filter((each) => !folded.includes(each));
  const dir = files[0] === undefined ? USUAL_DIR : dirname(files[0]);
  const lines = findingLines(full, paint, columns, replayIn(dir, command)).slice(1);
  const gap = full.length > 0 && folded.length > 0 ? [''] : [];
  return [...lines, ...gap, ...shortFindings(folded, paint, columns)];
}

function shortFindings(groups: readonly ResolvedGroup[], paint: Paint, columns: number): readonly string[] {
  const rest = groups.length - ERRORS;
  return [
    ...groups
      .slice(0, ERRORS)
      .flatMap(({ lead }) =>
        hang('  ', `${findingLine(lead, paint)} ${paint.dim(`(${lead.fingerprint})`)}`, columns, 4),
      ),
    ...(rest > 0 ? [paint.dim(`  … and ${count(rest, 'more finding')} (use --verbose, or see the reports)`)] : []),
  ];
}

export function sectionLines(sections: readonly Section[], paint: Paint): string[] {
  return sections
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([title, lines]) => ['', paint.bold(title), ...lines]);
}

/** The verdict in a sentence, and how it came about. */
export function verdictLines(summary: Summary, paint: Paint, columns: number): string[] {
  const word = summary.verdict.toUpperCase();
  const { sentence, details } = headline(summary);
  return [
    ...hang(`${paint.badge(summary.verdict, word)} `, paint.bold(visibleLine(sentence)), columns),
    ...hintLines('', splitErrors(summary).headline?.hint, paint, columns),
    ...details.flatMap((line) => wrap(visibleLine(line), columns).map((part) => paint.dim(part))),
  ];
}

function hintLines(indent: string, hint: string | undefined, paint: Paint, columns: number): string[] {
  return hint === undefined ? [] : hang(indent, visibleLine(`hint: ${hint}`), columns).map(paint.cyan);
}

/** The errors; without the one that the verdict is about. */
function errorLines(summary: Summary, paint: Paint, columns: number): string[] {
  const { others } = splitErrors(summary);
  const shown = others
    .slice(0, ERRORS)
    .flatMap((error) => [
      ...hang(`  ${paint.red('!')} `, visibleLine(errorText(error)), columns),
      ...hintLines('    ', error.hint, paint, columns),
    ]);
  const rest = others.length - ERRORS;
  return rest > 0 ? [...shown, paint.dim(`  … and ${count(rest, 'more error')} in the reports`)] : shown;
}

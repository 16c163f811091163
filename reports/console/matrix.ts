import { groupBy } from '../../spec/group-by.ts';
import { notAllowed } from '../summary/reach.ts';
import type { FormSummary, OperationSummary, Summary } from '../summary/types.ts';
import { count } from '../text/numbers.ts';
import { sectionName } from '../text/section.ts';
import { visibleLine } from '../text/visible.ts';
import { fit, fitMiddle, hang, pad, width } from '../text/width.ts';
import type { Paint } from './paint.ts';

const COLUMNS = 4;
const MOST_ROWS = 8;

/** The matrix of operations by form. Without `verbose`, those that passed in every form are only counted. */
export function matrixLines(
  {
    operations,
    findings,
    verdict,
    options = {},
  }: Pick<Summary, 'operations' | 'findings'> & Partial<Pick<Summary, 'verdict' | 'options'>>,
  paint: Paint,
  columns: number,
  verbose: boolean,
): string[] {
  const forms = mainForms(operations);
  const markOf = markerOf(findings, paint);
  const setUp = verbose ? [] : operations.filter(isSetUp);
  const forbidden = verbose ? [] : notAllowed({ operations, options });
  const listed = verbose
    ? operations
    : operations.filter((each) => !hasPassed(each) && !isSetUp(each) && !forbidden.includes(each));
  const shown = verbose ? listed : listed.slice(0, MOST_ROWS);
  const stopped = operations.filter((operation) => hasPassed(operation) && hasStopped(operation)).length;
  const passed = operations.length - operations.filter((operation) => !hasPassed(operation)).length - stopped;
  const hidden = listed.length - shown.length;
  const notes = [
    ...(hidden > 0 ? [`  … and ${count(hidden, 'more operation')} with --verbose and in the reports`] : []),
    ...(passed > 0 && !verbose
      ? [
          `  ${count(passed, `${shown.length > 0 ? 'other ' : ''}operation`)} passed${forms.length > 1 ? ' in every form' : ''}${verdict === 'interrupted' || verdict === 'error' ? ' so far' : ''}`,
        ]
      : []),
    ...(forbidden.length > 0 ? [`  ${count(forbidden.length, 'operation')} not tested: --allow lacks the effect`] : []),
    ...(setUp.length > 0 ? [`  ${count(setUp.length, 'operation')} used for set-up only, not tested`] : []),
    ...(stopped > 0
      ? [`  ${count(stopped, 'operation')} passed in part: some tests stopped at findings of other operations`]
      : []),
  ].flatMap((line) => hang('  ', line.trimStart(), columns).map(paint.dim));
  if (shown.length === 0) return notes;
  const widths = forms.map((form) => Math.max(2, width(form)));
  const head = `  ${forms.map((form, index) => pad(visibleLine(form), widths[index] ?? 2)).join(' ')}`;
  const marks = new Set(
    shown.flatMap(({ id, forms: all }) => Object.entries(all).map(([form, cell]) => markOf(id, form, cell))),
  );
  const legend = [
    ...(marks.has(paint.yellow('!')) ? ['! warnings or known findings only'] : []),
    ...(marks.has(paint.mark('untested')) ? ['· not tested'] : []),
  ];
  const names = Math.min(Math.max(...shown.map((operation) => width(operation.id)), 20), idRoom(columns));
  const sections = groupBy(shown, (operation) => operation.section);
  const rows = [...sections].flatMap(([section, members]) => [
    ...(section === '' ? [] : [paint.dim(`  ${visibleLine(sectionName(section))}`)]),
    ...members.map((operation) => row(operation, { forms, widths, names, markOf }, paint, columns)),
  ]);
  const heads = head.trim() === '' ? [] : [paint.dim(head)];
  const legends = legend.length > 0 ? hang('  ', legend.join(', '), columns).map(paint.dim) : [];
  return [...heads, ...rows, ...legends, ...notes];
}

/** The mark of an operation in a form: `!` where it has warnings or known findings only. */
type MarkOf = (operation: string, form: string, cell: FormSummary) => string;

function markerOf(findings: Summary['findings'], paint: Paint): MarkOf {
  const failing = new Set(
    findings
      .filter(({ fails }) => fails)
      .flatMap((finding) => finding.operations.flatMap((id) => finding.forms.map((form) => cellKey(id, form)))),
  );
  return (id, form, cell) => {
    const hasFindings = cell.verdict === 'failed' || (cell.verdict === 'passed' && cell.findings > 0);
    return hasFindings && !failing.has(cellKey(id, form)) ? paint.yellow('!') : paint.mark(cell.verdict);
  };
}

interface Layout {
  readonly forms: readonly string[];
  readonly widths: readonly number[];
  /** Columns for the ids. */
  readonly names: number;
  readonly markOf: MarkOf;
}

const cellKey = (operation: string, form: string): string => `${operation}\u0000${form}`;

/** Columns for the statuses of an operation; on a narrow terminal, ids come first. */
const STATUSES = 34;
const NARROW = 100;

const idRoom = (columns: number): number => (columns < NARROW ? columns : columns - STATUSES);

function mainForms(operations: readonly OperationSummary[]): string[] {
  const forms = groupBy(
    operations.flatMap((operation) => Object.keys(operation.forms)),
    (form) => form,
  );
  return [...forms]
    .toSorted(([a, inA], [b, inB]) => inB.length - inA.length || a.localeCompare(b))
    .slice(0, COLUMNS)
    .map(([form]) => form);
}

function hasPassed(operation: OperationSummary): boolean {
  return Object.values(operation.forms).every(({ verdict, findings }) => verdict === 'passed' && findings === 0);
}

/** True where no selected test is about the operation. */
function isSetUp(operation: OperationSummary): boolean {
  const used = Object.values(operation.forms).filter(({ statuses }) => Object.keys(statuses).length > 0);
  return used.length > 0 && used.every((form) => form.isSetUp === true);
}

/** True where tests of the operation stopped at findings of others. */
function hasStopped(operation: OperationSummary): boolean {
  return Object.values(operation.forms).some(({ stopped = 0 }) => stopped > 0);
}

function row(
  operation: OperationSummary,
  { forms, widths, names, markOf }: Layout,
  paint: Paint,
  columns: number,
): string {
  const marks = forms.map((form, index) => {
    const cell = operation.forms[form];
    return pad(cell === undefined ? ' ' : markOf(operation.id, form, cell), widths[index] ?? 2);
  });
  const others = Object.entries(operation.forms).filter(([form]) => !forms.includes(form));
  const other = others.map(([form, cell]) => ` ${markOf(operation.id, form, cell)} ${visibleLine(form)}`).join('');
  const lead = `  ${marks.join(' ')} `;
  const room = columns - width(lead) - width(other);
  const id = pad(fitMiddle(visibleLine(operation.id), Math.min(names, room)), Math.min(names, room));
  const seen = seenText(operation);
  const left = room - width(id) - 2;
  const statuses = left > 1 ? fit(seen, left) : '';
  const line = `${lead}${id}${other}`;
  return statuses === '' ? line.trimEnd() : `${line}  ${paint.dim(statuses)}`;
}

/** The statuses, apart for the forms in which no valid request succeeded: there, a success answers an invalid request only. */
function seenText({ forms }: OperationSummary): string {
  const cells = Object.entries(forms);
  const reached = cells.filter(([, form]) => form.reached);
  const others = cells.filter(([, form]) => !form.reached);
  if (others.length === 0) return statusesOf(reached);
  const where = (some: typeof cells): string => ` in ${some.map(([form]) => visibleLine(form)).join(', ')}`;
  const [refused, statuses] = [statusesOf(others, ({ refused: valid = {} }) => valid), statusesOf(others)];
  const place = reached.length === 0 ? '' : where(others);
  const sent = statuses === '' ? `no request${place}` : `no valid request${place}: ${statuses}`;
  const missing = refused === '' ? sent : `no valid request succeeded${place}: ${refused}`;
  return reached.length === 0 ? missing : `${missing};${where(reached)}: ${statusesOf(reached)}`;
}

function statusesOf(
  cells: readonly (readonly [string, FormSummary])[],
  of: (form: FormSummary) => FormSummary['statuses'] = ({ statuses }) => statuses,
): string {
  const totals = new Map<string, number>();
  for (const [, form] of cells) {
    for (const [status, amount] of Object.entries(of(form))) totals.set(status, (totals.get(status) ?? 0) + amount);
  }
  return [...totals]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([status, amount]) => `${status === '000' ? 'none' : status}×${amount}`)
    .join(' ');
}

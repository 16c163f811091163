import { sustained } from '../text/capacity.ts';
import { count, responseLatency, thousands } from '../text/numbers.ts';
import { visibleLine } from '../text/visible.ts';
import { aligned, fit, hang, width } from '../text/width.ts';
import type { StoredRun } from './stored-run.ts';
import { flakyFindings, trendRows } from './trends.ts';
import type { RunChange, TrendRow } from './trends.ts';

const MOST = 20;

export function resultText({ run, verified, violated }: TrendRow): string {
  return run.command === 'verify'
    ? `${thousands(verified)} verified, ${thousands(violated)} violated`
    : run.command === 'capacity'
      ? run.capacities
          .map(({ limitedBy = '', ...found }) => `${found.scenario} ${sustained({ ...found, limitedBy })}`)
          .join(', ')
      : run.scenarios.map(({ name, p99 }) => `${name} p99 ${responseLatency(p99)}`).join(', ');
}

const HEAD = ['Started (UTC)', 'Command', 'Verdict', 'Result', 'Findings', 'New', 'Gone', 'Commit', 'Target'];

/** Cells of the first line of a run, where its cells do not fit on one line. */
const FIRST = ['Started (UTC)', 'Command', 'Verdict', 'Target'];

/** Rows that are too wide, as two lines each: when and where a run was, then what came of it. */
function narrow(rows: readonly (readonly string[])[], columns: number): readonly string[] {
  const isFirst = HEAD.map((name) => FIRST.includes(name));
  const firsts = aligned(
    [HEAD, ...rows].map((row) => row.filter((_, at) => isFirst[at])),
    () => true,
  );
  return firsts.flatMap((first, index) => {
    const row = rows[index - 1] ?? [];
    const facts = row.flatMap((cell, at) => {
      const name = HEAD[at] ?? '';
      if (isFirst[at] || cell === '') return [];
      return name === 'Result' ? cell : `${name} ${cell}`;
    });
    return [fit(first, columns), ...(facts.length === 0 ? [] : hang('    ', facts.join(' · '), columns))];
  });
}

/** The runs of a store as a table, the latest last, and the findings that come and go. */
export function historyLines(runs: readonly StoredRun[], columns = Infinity): readonly string[] {
  const some = (list: readonly unknown[]): string => (list.length === 0 ? '' : String(list.length));
  const rows = trendRows(runs).map((row) => [
    row.run.startedAt.slice(0, 16).replace('T', ' '),
    row.run.command,
    row.run.verdict,
    visibleLine(resultText(row)),
    row.run.command === 'verify' ? thousands(row.run.findings.length) : '',
    some(row.fresh),
    some(row.gone),
    (row.run.commit ?? '').slice(0, 8),
    visibleLine(row.run.target),
  ]);
  const table = aligned([HEAD, ...rows], () => true);
  const fits = table.every((line) => width(line) <= columns);
  const flaky = flakyFindings(runs).flatMap(({ message, seenIn, of }) =>
    hang('  ', `${visibleLine(message)} (seen in ${seenIn} of ${of} runs)`, columns),
  );
  return [
    ...(fits ? table : narrow(rows, columns)),
    ...(flaky.length === 0 ? [] : ['', 'Findings that come and go', ...flaky]),
  ];
}

/** What changed since the previous run, as text. */
export function runChangeLines({ fresh, gone, requirements }: RunChange, since: StoredRun): readonly string[] {
  const head = `Since the run of ${since.startedAt.slice(0, 16).replace('T', ' ')} UTC${since.commit === undefined ? '' : ` (${since.commit.slice(0, 8)})`}`;
  if (fresh.length + gone.length + requirements.length === 0) return [`${head}: no changes.`];
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0
      ? []
      : [
          `  ${title}`,
          ...lines.slice(0, MOST).map((line) => `    ${line}`),
          ...(lines.length > MOST ? [`    … and ${lines.length - MOST} more`] : []),
        ];
  return [
    `${head}:`,
    ...part(
      count(fresh.length, 'new finding'),
      fresh.map(({ message, fingerprint }) => `+ ${visibleLine(message)} (${fingerprint})`),
    ),
    ...part(
      `${count(gone.length, 'finding')} not found again`,
      gone.map(({ message, fingerprint }) => `- ${visibleLine(message)} (${fingerprint})`),
    ),
    ...part(
      `${count(requirements.length, 'requirement')} with another verdict`,
      requirements.map(({ id, before, after }) => `${id}: ${before} → ${after}`),
    ),
  ];
}

import { groupBy } from '../../spec/group-by.ts';
import { assets, documentOf, pageStyle } from '../formats/html/document.ts';
import { html } from '../formats/html/markup.ts';
import type { Markup, Fragment } from '../formats/html/markup.ts';
import { table } from '../formats/html/elements.ts';
import type { Column } from '../formats/html/elements.ts';
import { count, day, latency, thousands } from '../text/numbers.ts';
import type { StoredRun } from './stored-run.ts';
import { resultText } from './text.ts';
import { flakyFindings, seriesOf, trendRows } from './trends.ts';
import type { TrendRow } from './trends.ts';

/** The runs of a store, at least one, as one page that opens offline. */
export function historyPage(runs: readonly StoredRun[]): string {
  return documentOf({
    title: 'History · Assay',
    style: `${pageStyle()}\n${assets(import.meta.url, 'history.css')}`,
    body: html`<main>
      <header>
        <h1>History</h1>
        <p class="hint">${about(runs)}</p>
      </header>
      ${trends(runs)}${flaky(runs)}
      <section>
        <h2>Runs</h2>
        ${runsTable(runs)}
      </section>
    </main>`,
  });
}

function about(runs: readonly StoredRun[]): string {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return '';
  const targets = targetsOf(runs);
  const of = targets.length === 1 ? `of ${targets[0] ?? ''}` : `of ${targets.length} targets`;
  return `${count(runs.length, 'run')} ${of}, ${day(first.startedAt)} to ${day(last.startedAt)}`;
}

function targetsOf(runs: readonly StoredRun[]): readonly string[] {
  return [...new Set(runs.map(({ target }) => target))];
}

function runsTable(runs: readonly StoredRun[]): Markup {
  const hasTargets = targetsOf(runs).length > 1;
  const hasCommits = runs.some(({ commit }) => commit !== undefined);
  const columns: readonly (readonly [Column, (row: TrendRow) => Fragment])[] = [
    [{ title: 'Started' }, ({ run }) => day(run.startedAt)],
    [{ title: 'Command' }, ({ run }) => run.command],
    [{ title: 'Verdict' }, ({ run }) => html`<b class="t-${run.verdict}">${run.verdict}</b>`],
    [{ title: 'Result' }, resultText],
    [
      { title: 'Findings', kind: 'number' },
      ({ run }) => (run.command === 'verify' ? thousands(run.findings.length) : ''),
    ],
    [{ title: 'New', kind: 'number' }, ({ fresh }) => (fresh.length > 0 ? thousands(fresh.length) : '')],
    [{ title: 'Gone', kind: 'number' }, ({ gone }) => (gone.length > 0 ? thousands(gone.length) : '')],
    ...(hasCommits
      ? [[{ title: 'Commit' }, ({ run }: TrendRow) => html`<code>${(run.commit ?? '').slice(0, 10)}</code>`] as const]
      : []),
    ...(hasTargets ? [[{ title: 'Target' }, ({ run }: TrendRow) => run.target] as const] : []),
  ];
  const rows = trendRows(runs)
    .toReversed()
    .map((row) => columns.map(([, read]) => read(row)));
  return html`<div class="scroll runs" tabindex="0">${table(
    columns.map(([column]) => column),
    rows,
  )}</div>`;
}

function flaky(runs: readonly StoredRun[]): Markup {
  const found = flakyFindings(runs);
  if (found.length === 0) return html``;
  const rows = found.map(({ message, seenIn, of }) => [message, `${seenIn} of ${of} runs`]);
  return html`<section>
    <h2>Findings that come and go <span class="amount">${found.length}</span></h2>
    ${table([{ title: 'Finding' }, { title: 'Seen in', kind: 'number' }], rows)}
  </section>`;
}

interface Line {
  readonly title: string;
  /** Set if the store has runs of several targets. */
  readonly target?: string;
  readonly values: readonly { readonly at: string; readonly value: number }[];
  readonly shown: (value: number) => string;
}

/** Charts of each series: runs of different commands or targets are not comparable. */
function trends(runs: readonly StoredRun[]): Markup {
  const series = [...groupBy(runs, seriesOf).values()];
  const several = targetsOf(runs).length > 1;
  const found = series
    .flatMap((members) =>
      linesOf(members).map((line) => (several ? { ...line, target: members[0]?.target ?? '' } : line)),
    )
    .filter(({ values }) => values.length > 1);
  if (found.length === 0) return html``;
  return html`<section>
    <h2>Trends</h2>
    <div class="trends">${found.map(chart)}</div>
  </section>`;
}

function linesOf(runs: readonly StoredRun[]): readonly Line[] {
  const command = runs[0]?.command;
  if (command === 'verify') return requirementLines(runs);
  return command === 'capacity'
    ? figureLines(
        runs,
        ({ capacities }) => capacities.map(({ scenario, rate }) => [scenario, rate]),
        (name) => `Capacity of ${name}`,
        (value) => `${thousands(value)}/s`,
      )
    : figureLines(
        runs,
        ({ scenarios }) => scenarios.map(({ name, p99 }) => [name, p99]),
        (name) => `p99 of ${name}`,
        latency,
      );
}

function requirementLines(runs: readonly StoredRun[]): readonly Line[] {
  const rows = trendRows(runs);
  const of = (title: string, read: (row: TrendRow) => number): Line => ({
    title,
    values: rows.map((row) => ({ at: row.run.startedAt, value: read(row) })),
    shown: thousands,
  });
  return [of('Requirements verified', ({ verified }) => verified), of('Findings', ({ run }) => run.findings.length)];
}

function figureLines(
  runs: readonly StoredRun[],
  read: (run: StoredRun) => readonly (readonly [name: string, value: number])[],
  title: (name: string) => string,
  shown: Line['shown'],
): readonly Line[] {
  const values = runs.flatMap((run) => read(run).map(([name, value]) => ({ name, at: run.startedAt, value })));
  return [...groupBy(values, ({ name }) => name)].map(([name, members]) => ({
    title: title(name),
    values: members,
    shown,
  }));
}

/** A line chart from the lowest to the highest value. */
function chart({ title, target, values, shown }: Line): Markup {
  const amounts = values.map(({ value }) => value);
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  const x = (index: number): string => ((index / Math.max(1, values.length - 1)) * 390 + 60).toFixed(1);
  const y = (value: number): string => (high === low ? 50 : 90 - ((value - low) / (high - low)) * 80).toFixed(1);
  const [first, last] = [values[0]?.at ?? '', values.at(-1)?.at ?? ''];
  return html`<figure class="chart">
    <figcaption>${title} <small>now ${shown(values.at(-1)?.value ?? 0)}${target === undefined ? '' : ` · ${target}`}</small></figcaption>
    <svg viewBox="0 0 460 118" role="img" aria-label="${title}: ${amounts.map(shown).join(', ')}">
      ${(high === low ? [high] : [high, low]).map((value) => html`<path class="grid" d="M60 ${y(value)}H450" /><text x="52" y="${Number(y(value)) + 4}" text-anchor="end">${shown(value)}</text>`)}
      <polyline class="line k1" points="${values.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ')}" />
      ${values.map(({ at, value }, index) => html`<circle class="k1" cx="${x(index)}" cy="${y(value)}" r="4"><title>${day(at)}: ${shown(value)}</title></circle>`)}
      <text x="60" y="113">${day(first)}</text><text x="450" y="113" text-anchor="end">${day(last)}</text>
    </svg>
  </figure>`;
}

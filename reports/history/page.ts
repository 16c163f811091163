import { readFileSync } from 'node:fs';
import { html, raw } from '../formats/html/markup.ts';
import type { Markup } from '../formats/html/markup.ts';
import { table } from '../formats/html/elements.ts';
import { day } from '../formats/html/parts/run.ts';
import { latency, thousands } from '../text/numbers.ts';
import type { StoredRun } from './stored-run.ts';
import { flakyFindings, trendRows } from './trends.ts';

const style = (name: string): string => readFileSync(new URL(`../formats/html/${name}`, import.meta.url), 'utf8');

/** The runs of a store as one page that opens offline. */
export function historyPage(runs: readonly StoredRun[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>History · Assay</title>
        ${raw(`<style>${style('style.css')}\n${style('findings.css')}\nbody{display:block}main{max-width:84rem;margin:0 auto}.trends{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1rem 2rem;color:var(--accent)}.trends figcaption{color:var(--ink)}.trends figure{margin:0}.runs :is(th,td){white-space:nowrap}</style>`)}
      </head>
      <body>
        <main>
          <h1>${runs.length} runs</h1>
          ${lines(runs)}${flaky(runs)}
          <section>
            <h2>Runs</h2>
            ${runsTable(runs)}
          </section>
        </main>
      </body>
    </html> `.text;
}

function runsTable(runs: readonly StoredRun[]): Markup {
  const rows = trendRows(runs)
    .toReversed()
    .map(({ run, verified, violated, fresh, gone }) => [
      day(run.startedAt),
      run.command,
      run.target,
      html`<b class="t-${run.verdict}">${run.verdict}</b>`,
      (run.commit ?? '').slice(0, 10),
      ...(run.command === 'verify' ? [verified, violated, run.findings.length] : ['', '', '']),
      fresh.length > 0 ? `+${fresh.length}` : '',
      gone.length > 0 ? `−${gone.length}` : '',
    ]);
  const heads = ['Started', 'Command', 'Target', 'Verdict', 'Commit'].map((title) => ({ title }));
  const amounts = ['Verified', 'Violated', 'Findings', 'New', 'Gone'].map((title) => ({
    title,
    kind: 'number' as const,
  }));
  return html`<div class="scroll runs">${table([...heads, ...amounts], rows)}</div>`;
}

function flaky(runs: readonly StoredRun[]): Markup {
  const found = flakyFindings(runs);
  if (found.length === 0) return html``;
  const rows = found.map(({ message, operation, seenIn, of, changes }) => [
    message,
    html`<code>${operation}</code>`,
    `${seenIn} of ${of}`,
    changes,
  ]);
  return html`<section>
    <h2>Findings that come and go <span class="amount">${found.length}</span></h2>
    <div class="scroll">${table([{ title: 'Finding' }, { title: 'Operation' }, { title: 'Seen in' }, { title: 'Changes', kind: 'number' }], rows)}</div>
  </section>`;
}

/** A figure over the runs that have it. */
interface Line {
  readonly title: string;
  readonly values: readonly { readonly at: string; readonly value: number }[];
  readonly shown: (value: number) => string;
}

function lines(runs: readonly StoredRun[]): Markup {
  const found = [...requirementLines(runs), ...loadLines(runs)].filter(({ values }) => values.length > 1);
  if (found.length === 0) return html``;
  return html`<section>
    <h2>Trends</h2>
    <div class="trends">${found.map(chart)}</div>
  </section>`;
}

function requirementLines(runs: readonly StoredRun[]): readonly Line[] {
  const rows = trendRows(runs).filter(({ run }) => run.command === 'verify');
  const of = (title: string, read: (row: (typeof rows)[number]) => number): Line => ({
    title,
    values: rows.map((row) => ({ at: row.run.startedAt, value: read(row) })),
    shown: thousands,
  });
  return [of('Requirements verified', ({ verified }) => verified), of('Findings', ({ run }) => run.findings.length)];
}

function loadLines(runs: readonly StoredRun[]): readonly Line[] {
  const names = [...new Set(runs.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)))];
  const searched = [...new Set(runs.flatMap(({ capacities }) => capacities.map(({ scenario }) => scenario)))];
  return [
    ...names.map((name) => ({
      title: `p99 of ${name}`,
      values: runs.flatMap(({ startedAt, scenarios }) =>
        scenarios.filter((each) => each.name === name).map(({ p99 }) => ({ at: startedAt, value: p99 })),
      ),
      shown: latency,
    })),
    ...searched.map((name) => ({
      title: `Capacity of ${name}, requests/s`,
      values: runs.flatMap(({ startedAt, capacities }) =>
        capacities.filter((each) => each.scenario === name).map(({ rate }) => ({ at: startedAt, value: rate })),
      ),
      shown: thousands,
    })),
  ];
}

function chart({ title, values, shown }: Line): Markup {
  const most = Math.max(1e-9, ...values.map(({ value }) => value)) * 1.1;
  const x = (index: number): string => ((index / Math.max(1, values.length - 1)) * 580 + 10).toFixed(1);
  const y = (value: number): string => (110 - (value / most) * 100).toFixed(1);
  return html`<figure class="chart">
    <figcaption><b>${title}</b> ${shown(values[0]?.value ?? 0)} → ${shown(values.at(-1)?.value ?? 0)}</figcaption>
    <svg viewBox="0 0 600 120" role="img" aria-label="${title}">
      <polyline class="line" fill="none" stroke="currentColor" stroke-width="2" points="${values.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ')}" />
      ${values.map(({ at, value }, index) => html`<circle cx="${x(index)}" cy="${y(value)}" r="4" fill="currentColor"><title>${day(at)}: ${shown(value)}</title></circle>`)}
    </svg>
  </figure>`;
}

import { comparisonSentence, ratio, statusChange, titleOf, verdictChange } from '../../../compare/console.ts';
import type { ValueChange, Comparison } from '../../../compare/types.ts';
import type { MergedFinding } from '../../../summary/types.ts';
import { day, duration, rounded } from '../../../text/numbers.ts';
import { clip } from '../../../text/visible.ts';
import { html } from '../markup.ts';
import type { Markup, Fragment } from '../markup.ts';
import { table } from '../elements.ts';
import type { Column } from '../elements.ts';

const ROWS = 200;

export function compareSection(comparison: Comparison | undefined): Markup {
  if (comparison === undefined) return html``;
  const { before, after, findings, notes } = comparison;
  const [was, is] = [before, after].map(
    ({ baseUrl, verdict, durationMs }) => `${baseUrl} (${verdict}, ${duration(durationMs)})`,
  );
  return html`<section id="compare">
    <h2>Changes since the run of ${day(before.startedAt)}</h2>
    <p><b>${comparisonSentence(comparison)}</b></p>
    <p class="hint">${was} → ${is}</p>
    ${notes.map((note) => html`<p class="hint">! ${note}</p>`)}
    ${findingRows('New findings', findings.new, true)}${findingRows('Fail now', findings.worse, true)}${findingRows('Fixed', findings.fixed, false)}${findingRows('Not tested again', findings.untested, false)}
    ${changeTable('Requirements whose verdict changed', comparison.requirements)}${operationTable(comparison)}
    ${changeTable('Undocumented behavior', comparison.observations)}${timeTable(comparison)}${loadTable(comparison)}
  </section>`;
}

function findingRows(title: string, findings: readonly MergedFinding[], linked: boolean): Markup {
  if (findings.length === 0) return html``;
  return html`<h3>${title}</h3>
    <ul class="plain">
      ${findings.map((finding) => {
        const text = clip(titleOf(finding), 300);
        return html`<li>${linked ? html`<a href="#finding-${finding.fingerprint}">${text}</a>` : text}</li>`;
      })}
    </ul>`;
}

function titled(title: string, columns: readonly Column[], rows: readonly (readonly Fragment[])[]): Markup {
  return rows.length === 0
    ? html``
    : html`<h3>${title}</h3>
        ${table(columns, rows.slice(0, ROWS))}
        ${rows.length > ROWS ? html`<p class="hint">… and ${rows.length - ROWS} more in compare.json</p>` : ''}`;
}

function changeTable(title: string, changes: readonly ValueChange[]): Markup {
  const rows = changes.map(({ what, before = 'none', after = 'none' }) => [
    html`<code>${what}</code>`,
    `${clip(before, 300)} → ${clip(after, 300)}`,
  ]);
  return titled(title, [{ kind: 'row' }, {}], rows);
}

function operationTable({ operations }: Comparison): Markup {
  const rows = operations.map((change) => [
    html`<code>${change.operation}</code> <span class="form">${change.form}</span>`,
    verdictChange(change),
    statusChange(change),
  ]);
  return titled('Operations whose responses changed', [{ kind: 'row' }, {}, {}], rows);
}

function timeTable({ durations }: Comparison): Markup {
  const rows = durations.map(({ operation, beforeMs, afterMs }) => [
    html`<code>${operation}</code>`,
    duration(beforeMs),
    html`<span class="${afterMs > beforeMs ? 't-failed' : 't-passed'}">${duration(afterMs)}</span>`,
  ]);
  return titled('Time per request', [{ kind: 'row' }, { kind: 'number' }, { kind: 'number' }], rows);
}

function loadTable({ load }: Comparison): Markup {
  const columns: readonly Column[] = [
    { title: 'Scenario' },
    { title: 'Measure' },
    { title: 'Before', kind: 'number' },
    { title: 'Now', kind: 'number' },
    { title: 'Change', kind: 'number' },
  ];
  const rows = load.map(({ scenario, measure, before, after }) => [
    scenario,
    measure,
    rounded(before),
    rounded(after),
    ratio(before, after),
  ]);
  return titled('Load', columns, rows);
}

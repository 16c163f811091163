import { groupBy } from '../../../../spec/group-by.ts';
import type { Summary } from '../../../summary/types.ts';
import { count, effectsOfEmbedded, latency, thousands } from '../../../text/numbers.ts';
import { toleratedLines } from '../../../text/tolerated.ts';
import { clip } from '../../../text/visible.ts';
import type { ReportView } from '../../../view.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { table } from '../elements.ts';

const SLOWEST = 12;
const NAMES = 200;
const OBSERVATIONS = 500;

/** The operations with the slowest requests. */
export function slowestSection(view: ReportView): Markup {
  const timed = view.tests.filter((test) => test.slowestMs !== undefined && test.operation !== undefined);
  const slowest = [...groupBy(timed, (test) => test.operation ?? '')]
    .map(([operation, tests]) => ({ operation, ms: Math.max(...tests.map((test) => test.slowestMs ?? 0)) }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST);
  const top = slowest[0]?.ms ?? 0;
  if (top === 0) return html``;
  return html`<section id="slowest">
    <h2>Slowest operations</h2>
    <table class="bars">
      <caption>
        slowest request of each
      </caption>
      <tbody>
        ${slowest.map(
          ({ operation, ms }) =>
            html`<tr>
              <th scope="row"><code>${operation}</code></th>
              <td>
                <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="s-slow" width="${((ms / top) * 100).toFixed(2)}" height="10" />
                </svg>
              </td>
              <td class="number">${latency(ms)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** Skipped tests by reason. */
export function skipsSection(summary: Summary): Markup {
  if (summary.skips.length === 0) return html``;
  const reasons = [...groupBy(summary.skips, (skip) => skip.reason)].toSorted(([, a], [, b]) => b.length - a.length);
  return html`<section id="skips">
    <h2>Skipped <span class="amount">${thousands(summary.skips.length)}</span></h2>
    ${reasons.map(
      ([reason, skips]) =>
        html`<details class="fold">
          <summary><span class="name">${clip(reason, 300)}</span><small>${count(skips.length, 'test')}</small></summary>
          <ul class="names">
            ${skips.slice(0, NAMES).map((skip) => html`<li>${skip.what}</li>`)}${skips.length > NAMES ? html`<li>… and ${count(skips.length - NAMES, 'other')}</li>` : ''}
          </ul>
        </details>`,
    )}
  </section>`;
}

/** Resources that the run created, requests that were repeated, and what was observed beyond the document. */
export function aroundSection(summary: Summary): Markup {
  return html`${effects(summary)}${sending(summary)}${observations(summary)}`;
}

function effects({ effects: { created, removed, left }, target }: Summary): Markup {
  if (created + left.length === 0) return html``;
  if (target.embedded)
    return html`<section id="effects">
      <h2>Resources created</h2>
      <p>${effectsOfEmbedded(created, removed)}.</p>
    </section>`;
  const rows = left.slice(0, NAMES).map(({ kind, id, reason }) => [kind, html`<code>${id}</code>`, reason]);
  return html`<section id="effects">
    <h2>Resources created</h2>
    <p>${thousands(created)} created, ${thousands(removed)} removed, ${thousands(left.length)} left.</p>
    ${rows.length === 0 ? '' : table([{ title: 'Left' }, { title: 'Id' }, { title: 'Reason' }], rows)}
  </section>`;
}

function sending(summary: Summary): Markup {
  const lines = toleratedLines(summary);
  if (lines.length === 0) return html``;
  return html`<section id="sending">
    <h2>Tolerated</h2>
    <ul class="names">
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
  </section>`;
}

function observations({ observations: seen }: Summary): Markup {
  if (seen.length === 0) return html``;
  const rows = seen
    .slice(0, OBSERVATIONS)
    .map(({ what, operation, value }) => [
      what,
      operation === undefined ? '' : html`<code>${operation}</code>`,
      clip(value, 500),
    ]);
  return html`<section id="observations">
    <h2>Undocumented behavior</h2>
    ${table([{ kind: 'row' }, {}, {}], rows)}
  </section>`;
}

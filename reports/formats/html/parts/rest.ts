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
  return html`<section id="skips">
    <h2>Skipped <span class="amount">${thousands(summary.skips.length)}</span></h2>
    ${folds(
      summary.skips.map(({ what, reason }) => [reason, what] as const),
      (amount) => count(amount, 'test'),
    )}
  </section>`;
}

/** Names by their reason, folded; the reason of most first. */
function folds(
  pairs: readonly (readonly [reason: string, name: string])[],
  told: (amount: number) => string,
): readonly Markup[] {
  const reasons = [...groupBy(pairs, ([reason]) => reason)].toSorted(([, a], [, b]) => b.length - a.length);
  return reasons.slice(0, NAMES).map(
    ([reason, members]) =>
      html`<details class="fold flat">
        <summary><span class="name">${clip(reason, 300)}</span><small>${told(members.length)}</small></summary>
        <ul class="names">
          ${members.slice(0, NAMES).map(([, name]) => html`<li>${name}</li>`)}${members.length > NAMES ? html`<li>… and ${count(members.length - NAMES, 'other')}</li>` : ''}
        </ul>
      </details>`,
  );
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
  return html`<section id="effects">
    <h2>Resources created</h2>
    <p>${thousands(created)} created, ${thousands(removed)} removed, ${thousands(left.length)} left.</p>
    ${folds(
      left.map(({ kind, id, reason }) => [`${kind}: ${reason}`, id] as const),
      (amount) => `${thousands(amount)} left`,
    )}
  </section>`;
}

function sending(summary: Summary): Markup {
  const lines = toleratedLines(summary);
  if (lines.length === 0) return html``;
  return html`<section id="sending">
    <h2>Retries and late changes</h2>
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
      html`${what}${operation === undefined ? '' : html` <code>${operation}</code>`}`,
      clip(value, 500),
    ]);
  return html`<section id="observations">
    <h2>Undocumented behavior</h2>
    ${table([{ kind: 'row' }, {}], rows)}
  </section>`;
}

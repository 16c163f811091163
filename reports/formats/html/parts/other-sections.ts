import { groupBy } from '../../../../spec/group-by.ts';
import type { Summary } from '../../../summary/types.ts';
import { effectTotals, groupLeft, lastingText } from '../../../text/effects.ts';
import { count, latency, thousands } from '../../../text/numbers.ts';
import { retryLines } from '../../../text/retries.ts';
import { clip } from '../../../text/visible.ts';
import type { ReportView } from '../../../view.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { table } from '../elements.ts';

const SLOWEST = 12;
const SLOW_MS = 1000;
const NAMES = 200;
const OBSERVATIONS = 500;
const MANY = 5;

/** Operations with a request that took a second or more. */
export function slowestSection(view: ReportView): Markup {
  const timed = view.tests.filter((test) => test.slowestMs !== undefined && test.operation !== undefined);
  const slowest = [...groupBy(timed, (test) => test.operation ?? '')]
    .map(([operation, tests]) => ({ operation, ms: Math.max(...tests.map((test) => test.slowestMs ?? 0)) }))
    .filter(({ ms }) => ms >= SLOW_MS)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST);
  const top = slowest[0]?.ms ?? 0;
  if (top === 0) return html``;
  return html`<section id="slowest">
    <h2>Slow operations</h2>
    <table class="bars">
      <caption>
        The slowest request of each operation, where it took 1 s or more.
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

type Named = readonly [reason: string, name: string];

/** Names by reason, folded, the most frequent reason first. Reasons that differ only in an operation are joined. */
function folds(pairs: readonly Named[], told: (amount: number) => string): readonly Markup[] {
  const kinds = [...groupBy(pairs, ([reason]) => withoutOperation(reason))];
  return kinds
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, NAMES)
    .map(([kind, members]) => {
      const [[first] = [kind]] = members;
      const isOne = members.every(([reason]) => reason === first);
      const title = clip(isOne ? first : kind, 300);
      return html`<details class="fold flat">
        <summary>
          <span class="name">${title.charAt(0).toUpperCase()}${title.slice(1)}</span><small>${told(members.length)}</small>
        </summary>
        <ul class="names">
          ${members.slice(0, NAMES).map(([reason, name]) => html`<li>${name}${isOne ? '' : html` <small>${reason}</small>`}</li>`)}${members.length > NAMES ? html`<li>… and ${count(members.length - NAMES, 'other')}</li>` : ''}
        </ul>
      </details>`;
    });
}

function withoutOperation(reason: string): string {
  return reason.replace(/\b(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) \/[^\s:]*/g, '$1 …');
}

/** Resources that the run created, requests that were repeated, and what was observed beyond the document. */
export function aroundSection(summary: Summary): Markup {
  return html`${effects(summary)}${sending(summary)}${observations(summary)}`;
}

function effects(summary: Summary): Markup {
  const totals = effectTotals(summary);
  const lasting = lastingText(summary);
  if (totals === undefined && lasting === undefined) return html``;
  return html`<section id="effects">
    <h2>Resources created</h2>
    ${totals === undefined ? '' : html`<p>${totals}.</p>`}
    ${folds(
      groupLeft(summary.effects.left).flatMap(({ reason, items }) =>
        items.flatMap(({ id, count: of = 1 }) => Array.from({ length: of }, () => [reason, id] as const)),
      ),
      (amount) => `${thousands(amount)} left`,
    )}
    ${lasting === undefined ? '' : html`<p>${lasting}.</p>`}
  </section>`;
}

function sending(summary: Summary): Markup {
  const lines = retryLines(summary);
  if (lines.length === 0) return html``;
  return html`<section id="sending">
    <h2>Retries and late changes</h2>
    <ul class="names">
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
  </section>`;
}

/** Observations; those of many operations are folded. */
function observations({ observations: seen }: Summary): Markup {
  if (seen.length === 0) return html``;
  const kinds = [...groupBy(seen.slice(0, OBSERVATIONS), ({ what }) => what).values()];
  const rows = kinds
    .filter((members) => members.length < MANY)
    .flat()
    .map(({ what, operation, value }) => [
      html`${what}${operation === undefined ? '' : html` <code>${operation}</code>`}`,
      clip(value, 500),
    ]);
  const many = kinds.filter((members) => members.length >= MANY).flat();
  return html`<section id="observations">
    <h2>Undocumented behavior</h2>
    ${rows.length === 0 ? '' : table([{ kind: 'row' }, {}], rows)}
    ${folds(
      many.map(({ what, operation = '', value }) => [what, `${operation} ${clip(value, 500)}`] as const),
      (amount) => count(amount, 'observation'),
    )}
  </section>`;
}

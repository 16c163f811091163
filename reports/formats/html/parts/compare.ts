import { comparisonSentence, ratio, stateText } from '../../../compare/console.ts';
import type { Change, Comparison } from '../../../compare/types.ts';
import type { MergedFinding } from '../../../summary/types.ts';
import { duration, rounded } from '../../../text/numbers.ts';
import { clip } from '../../../text/visible.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';

/** What changed since the earlier run. */
export function compareSection(comparison: Comparison | undefined): Markup {
  if (comparison === undefined) return html``;
  const { before, after, findings } = comparison;
  return html`<section id="compare">
    <h2>Changes since the run of ${before.startedAt}</h2>
    <p><b>${comparisonSentence(comparison)}</b></p>
    <p class="hint">
      ${before.baseUrl} (${before.verdict}, ${duration(before.durationMs)}) → ${after.baseUrl} (${after.verdict},
      ${duration(after.durationMs)})
    </p>
    ${comparison.notes.map((note) => html`<p class="hint">! ${note}</p>`)}${findingRows('New findings', 'failed', 'new', findings.new, true)}${findingRows('Fixed', 'passed', 'fixed', findings.fixed, false)}${findingRows('Not tested again', '', 'not tested', findings.untested, false)}
    ${changeTable('Requirements whose verdict changed', comparison.requirements)}${operationTable(comparison)}${changeTable('Undocumented behavior', comparison.observations)}
    ${
      comparison.durations.length === 0
        ? ''
        : html`<h3>Time per request</h3>
            <table class="list">
              <tbody>
                ${comparison.durations.map(
                  (change) =>
                    html`<tr>
                      <th scope="row"><code>${change.operation}</code></th>
                      <td class="number">${duration(change.beforeMs)}</td>
                      <td class="number ${change.afterMs > change.beforeMs ? 'change-worse' : 'change-better'}">
                        ${duration(change.afterMs)}
                      </td>
                    </tr>`,
                )}
              </tbody>
            </table>`
    }
    ${
      comparison.load.length === 0
        ? ''
        : html`<h3>Load</h3>
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Scenario</th>
                  <th scope="col">Measure</th>
                  <th scope="col" class="number">Before</th>
                  <th scope="col" class="number">Now</th>
                  <th scope="col" class="number">Change</th>
                </tr>
              </thead>
              <tbody>
                ${comparison.load.map(
                  (change) =>
                    html`<tr>
                      <td>${change.scenario}</td>
                      <td>${change.measure}</td>
                      <td class="number">${rounded(change.before)}</td>
                      <td class="number">${rounded(change.after)}</td>
                      <td class="number">${ratio(change.before, change.after)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>`
    }
  </section>`;
}

function findingRows(
  title: string,
  tone: string,
  word: string,
  findings: readonly MergedFinding[],
  linked: boolean,
): Markup {
  if (findings.length === 0) return html``;
  return html`<h3>${title}</h3>
    <ul class="plain">
      ${findings.map((finding) => {
        const text = clip(finding.message, 300);
        return html`<li>
          <span class="tag ${tone}">${word}</span>
          <code>${finding.operation}</code>
          ${linked ? html`<a href="#finding-${finding.fingerprint}">${text}</a>` : text}
        </li>`;
      })}
    </ul>`;
}

function changeTable(title: string, changes: readonly Change[]): Markup {
  if (changes.length === 0) return html``;
  return html`<h3>${title}</h3>
    <table class="list">
      <tbody>
        ${changes.slice(0, 200).map(
          (change) =>
            html`<tr>
              <th scope="row"><code>${change.what}</code></th>
              <td>${clip(change.before ?? 'none', 300)}</td>
              <td>→ ${clip(change.after ?? 'none', 300)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function operationTable(comparison: Comparison): Markup {
  if (comparison.operations.length === 0) return html``;
  return html`<h3>Operations whose responses changed</h3>
    <table class="list">
      <tbody>
        ${comparison.operations.slice(0, 200).map(
          (change) =>
            html`<tr>
              <th scope="row"><code>${change.operation}</code> <span class="form">${change.form}</span></th>
              <td>${stateText(change.before)}</td>
              <td>→ ${stateText(change.after)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

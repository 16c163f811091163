import { thousands } from '../../../text/numbers.ts';
import { clip } from '../../../text/visible.ts';
import { nameWithinSuite } from '../../../view.ts';
import type { ReportView } from '../../../view.ts';
import { testedOperations } from '../matrix-data.ts';
import { dataBlock, html } from '../markup.ts';
import type { Markup } from '../markup.ts';

/** All results; the script draws the rows that are looked at from the data block. */
export function testsSection(view: ReportView): Markup {
  if (view.tests.length === 0) return html``;
  return html`<section id="tests">
    <h2>All tests <span class="amount">${thousands(view.tests.length)}</span></h2>
    <noscript><p class="hint">The list of tests needs JavaScript; junit.xml has it too.</p></noscript>
    <div class="filters" hidden>
      <input type="search" id="find" placeholder="Filter tests" aria-label="Filter tests" />
      <div class="chips" role="group" aria-label="Verdict">
        ${['passed', 'failed', 'skipped', 'error'].map((verdict) => verdictChip(verdict, view.tests.filter((test) => test.verdict === verdict).length))}<button
          type="button"
          id="cell"
          hidden
        ></button>
      </div>
    </div>
    <ol class="tests" id="rows"></ol>
    <button type="button" class="more" id="more" hidden>Show more</button>
  </section>`;
}

function verdictChip(verdict: string, amount: number): Markup {
  if (amount === 0) return html``;
  return html`<button type="button" data-verdict="${verdict}" aria-pressed="false">
    ${verdict} <b>${thousands(amount)}</b>
  </button>`;
}

/** What {@link testsSection}'s script draws from: one row per test, each text once. */
export function testsData(view: ReportView): Markup {
  const texts = new Map<string, number>();
  const text = (value: string): number => {
    const known = texts.get(value) ?? texts.size;
    texts.set(value, known);
    return known;
  };
  const rows = view.tests.map((test) => [
    clip(nameWithinSuite(test), 400),
    text(test.suite),
    testedOperations(test).map(text),
    text(test.form ?? ''),
    test.checks.map(text),
    test.verdict,
    Math.round(test.durationMs * 10) / 10,
    test.statuses.reduce((sum, status) => sum + status.count, 0),
    text(clip(test.reason ?? '', 500)),
    test.findings.map((finding) => text(finding.fingerprint)),
  ]);
  return dataBlock({ texts: [...texts.keys()], rows });
}

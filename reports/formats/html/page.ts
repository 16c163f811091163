import { thousands } from '../../text/numbers.ts';
import type { ReportView } from '../../view.ts';
import { assets, documentOf, domScript, pageStyle } from './document.ts';
import type { PageCode } from './document.ts';
import { html } from './markup.ts';
import type { Markup, Fragment } from './markup.ts';
import { compareSection } from './parts/compare.ts';
import { findingList } from './parts/finding-list.ts';
import { findingPages } from './parts/finding-pages.ts';
import { hero } from './parts/verdict.ts';
import { loadSection } from './parts/load.ts';
import { matrixSection } from './parts/matrix.ts';
import { requirementsSection } from './parts/requirements.ts';
import { aroundSection, skipsSection, slowestSection } from './parts/other-sections.ts';
import { runSection } from './parts/run.ts';
import { testsData, testsSection } from './parts/tests.ts';

export const reportCode = (): PageCode => ({
  style: pageStyle(),
  script: `${domScript()}\n${assets(import.meta.url, 'client-tests.js', 'client-findings.js', 'client.js')}`,
});

export function reportPage(view: ReportView): string {
  const { summary } = view;
  return documentOf({
    title: `${summary.verdict.toUpperCase()} · ${summary.spec.title} · Assay`,
    ...reportCode(),
    policy: "; require-trusted-types-for 'script'; trusted-types 'none'",
    body: html`<a class="skip-link" href="#verdict">Skip to the report</a>${navigation(view)}
      <main>
        ${hero(summary)}${compareSection(view.comparison)}${findingList(summary)}${loadSection(view)}${matrixSection(view)}${requirementsSection(summary)}${slowestSection(view)}${testsSection(view)}${skipsSection(summary)}${aroundSection(summary)}${runSection(summary)}${findingPages(summary, view.replayOf)}
      </main>
      ${keysDialog()}${testsData(view)}`,
  });
}

function navigation(view: ReportView): Markup {
  const { summary } = view;
  const { findings, scenarios = [], operations, requirements, skips } = summary;
  const red = findings.some(({ fails }) => fails) ? html` class="red"` : '';
  /** A link with an amount is left out where that is 0. */
  const links: readonly (readonly [id: string, name: string, amount?: number])[] = [
    ['verdict', 'Verdict'],
    ...(view.comparison === undefined ? [] : [['compare', 'Changes'] as const]),
    ['findings', 'Findings', findings.length],
    ...(summary.capacity === undefined ? [] : [['capacity', 'Capacity'] as const]),
    ['load', 'Load', scenarios.length],
    ['operations', 'Operations', view.tests.length > 0 ? operations.length : 0],
    ['requirements', 'Requirements', requirements.length],
    ['tests', 'Tests', view.tests.length],
    ['skips', 'Skipped', skips.length],
    ['run', 'This run'],
  ];
  const amountOf = (id: string, amount?: number): Fragment =>
    amount === undefined ? '' : html`<b${id === 'findings' ? red : ''}>${thousands(amount)}</b>`;
  return html`<nav class="side" aria-label="Report">
    <span class="brand"><i class="${summary.verdict}"></i>Assay</span>
    <ul>
      ${links.filter(([, , amount]) => amount !== 0).map(([id, name, amount]) => html`<li><a href="#${id}">${name}${amountOf(id, amount)}</a></li>`)}
    </ul>
    <div class="foot">
      <button type="button" id="theme" title="t">Theme: auto</button
      ><button type="button" id="help" class="keys-button" title="?">Keys</button>
    </div>
  </nav>`;
}

function keysDialog(): Markup {
  const keys = [
    ['j k', 'next and previous finding'],
    ['Esc', 'back to the overview'],
    ['c', 'copy the curl command of the finding'],
    ['m', 'focus the matrix; arrows move, Enter shows the tests'],
    ['/', 'filter the tests'],
    ['t', 'theme: light, dark, automatic'],
    ['?', 'show these keys'],
  ] as const;
  return html`<dialog id="keys" aria-label="Keys">
    <h2>Keys</h2>
    <dl>
      ${keys.map(
        ([key, does]) =>
          html`<dt><kbd>${key}</kbd></dt>
            <dd>${does}</dd>`,
      )}
    </dl>
    <form method="dialog"><button>Close</button></form>
  </dialog>`;
}

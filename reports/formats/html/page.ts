import { thousands } from '../../text/numbers.ts';
import type { ReportView } from '../../view.ts';
import { assets, documentOf, domScript, pageStyle } from './document.ts';
import type { PageCode } from './document.ts';
import { html } from './markup.ts';
import type { Markup, Part } from './markup.ts';
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

/** The report of a run. */
export function pageOf(view: ReportView): string {
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
  const failing = summary.findings.some((finding) => finding.fails);
  const links: readonly (readonly [string, string, Part])[] = [
    ['verdict', 'Verdict', ''],
    ...(view.comparison === undefined ? [] : [['compare', 'Changes', ''] as const]),
    ...(summary.findings.length > 0
      ? [['findings', 'Findings', html`<b${failing ? html` class="red"` : ''}>${summary.findings.length}</b>`] as const]
      : []),
    ...(summary.capacity === undefined ? [] : [['capacity', 'Capacity', ''] as const]),
    ...((summary.scenarios ?? []).length > 0
      ? [['load', 'Load', html`<b>${summary.scenarios?.length ?? 0}</b>`] as const]
      : []),
    ...(summary.operations.length > 0 && view.tests.length > 0
      ? [['operations', 'Operations', html`<b>${thousands(summary.operations.length)}</b>`] as const]
      : []),
    ...(summary.requirements.length > 0
      ? [['requirements', 'Requirements', html`<b>${thousands(summary.requirements.length)}</b>`] as const]
      : []),
    ...(view.tests.length > 0 ? [['tests', 'Tests', html`<b>${thousands(view.tests.length)}</b>`] as const] : []),
    ...(summary.skips.length > 0
      ? [['skips', 'Skipped', html`<b>${thousands(summary.skips.length)}</b>`] as const]
      : []),
    ['run', 'This run', ''],
  ];
  return html`<nav class="side" aria-label="Report">
    <span class="brand"><i class="${summary.verdict}"></i>Assay</span>
    <ul>
      ${links.map(([id, name, amount]) => html`<li><a href="#${id}">${name}${amount}</a></li>`)}
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

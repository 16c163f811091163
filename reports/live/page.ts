import { assets, documentOf, domScript, pageStyle, policyOf } from '../formats/html/document.ts';
import { html } from '../formats/html/markup.ts';
import { reportCode } from '../formats/html/page.ts';
import { LEGEND } from '../formats/html/parts/matrix.ts';

const style = (): string => `${pageStyle()}\n${assets(import.meta.url, 'live.css')}`;

const script = (): string =>
  `${domScript()}\n${assets(import.meta.url, 'client-state.js', 'client-matrix.js', 'client-load.js', 'client.js')}`;

/** The page receives the events of the run. */
const LISTENS = "; connect-src 'self'";

/** The policy of the page as a header, which can also forbid frames. */
export function pagePolicy(): string {
  return `${policyOf({ style: style(), script: script() }, reportCode())}${LISTENS}; frame-ancestors 'none'`;
}

/** The page without content, which comes as events. */
export function livePage(canAbort: boolean): string {
  return documentOf({
    title: 'Assay',
    style: style(),
    script: script(),
    policy: LISTENS,
    opens: [reportCode()],
    body: html`<main>
      <header class="live-head">
        <p class="kicker"><span class="tag" id="state">connecting</span> <span id="what"></span></p>
        <h1><span id="sentence" role="status">Waiting for the run</span></h1>
        <progress id="progress" max="1" aria-label="Progress"></progress>
        <p class="live-line"><span id="line"></span>${canAbort ? html`<button type="button" id="abort">Abort</button>` : ''}</p>
        <p class="hint" id="files" hidden></p>
        <dl class="figures" id="figures"></dl>
      </header>
      <section id="errors-part" hidden><h2>Errors</h2><ul id="errors" class="plain"></ul></section>
      <section id="load-part" hidden><h2>Load</h2><div id="load"></div></section>
      <section id="findings-part" hidden><h2>Findings <span class="amount" id="amount"></span></h2><ol class="live-findings" id="findings"></ol></section>
      <section id="matrix-part" hidden>
        <h2>Operations by check</h2>
 ${LEGEND}
        <p class="live-inspector" id="inspector" role="status">Point at a square to see its operation, check and result.</p>
        <div class="live-matrix" id="matrix" tabindex="0"><div class="live-checks" id="checks"></div><div class="live-rows" id="rows"></div><canvas id="cells" aria-label="Operations by check"></canvas></div>
      </section>
    </main>`,
  });
}

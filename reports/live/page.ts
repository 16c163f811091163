import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html, raw } from '../formats/html/markup.ts';

const asset = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');

const style = (): string =>
  `${readFileSync(new URL('../formats/html/style.css', import.meta.url), 'utf8')}\n${readFileSync(new URL('../formats/html/findings.css', import.meta.url), 'utf8')}\n${asset('live.css')}`;

const script = (): string =>
  ['client-state.js', 'client-matrix.js', 'client-load.js', 'client.js'].map(asset).join('\n');

/** The policy of the page: only its own script, style and events. */
export function pagePolicy(): string {
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; connect-src 'self'; script-src ${hash(script())}; style-src ${hash(style())}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** The page; what it shows comes as events. */
export function livePage(canAbort: boolean): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>Assay</title>
        ${raw(`<style>${style()}</style>`)}
      </head>
      <body class="live">
        <main>
          <header class="live-head">
            <p class="kicker"><span class="tag" id="state">connecting</span> <span id="what"></span></p>
            <h1 id="sentence">Waiting for the run</h1>
            <progress id="progress" max="1" aria-label="Progress"></progress>
            <p class="live-line"><span id="line" role="status"></span>${canAbort ? html`<button type="button" id="abort">Abort</button>` : ''}</p>
            <p class="hint" id="files" hidden></p>
            <dl class="live-figures" id="figures"></dl>
          </header>
          <section id="errors-part" hidden><h2>Errors</h2><ul id="errors" class="plain"></ul></section>
          <section id="load-part" hidden><h2>Load</h2><div id="load"></div></section>
          <section id="findings-part" hidden><h2>Findings <span class="amount" id="amount"></span></h2><ol class="live-findings" id="findings"></ol></section>
          <section id="matrix-part" hidden>
            <h2>Operations by check</h2>
            <p class="live-inspector" id="inspector" role="status">Point at a square to see its operation, check and result.</p>
            <div class="live-matrix" id="matrix" tabindex="0"><div class="live-checks" id="checks"></div><div class="live-rows" id="rows"></div><canvas id="cells" aria-label="Operations by check"></canvas></div>
          </section>
        </main>
        ${raw(`<script>${script()}</script>`)}
      </body>
    </html> `.text;
}

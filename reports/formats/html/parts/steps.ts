import type { ShownExchange } from '../../../../spec/index.ts';
import type { MergedFinding } from '../../../summary/types.ts';
import { credentialsText } from '../../../text/finding.ts';
import { count, latency } from '../../../text/numbers.ts';
import { clip } from '../../../text/visible.ts';
import { bodyMarkup } from '../body.ts';
import { table } from '../elements.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { commandBlock } from './finding-parts.ts';
import { axisOf } from './step-times.ts';
import type { Axis } from './step-times.ts';

const LINE = 400;
const STEPS = 60;
const HEADERS = 60;
const WIDTH = 1000;
/** Shortest bar, so that it is visible. */
const LEAST = 8;

/** The exchanges of a finding, the last one open; of several, bars show when each was under way. */
export function stepList(finding: MergedFinding): Markup {
  if (finding.steps.length === 0) return html``;
  const shown = finding.steps.slice(-STEPS);
  const last = shown.length - 1;
  const axis = axisOf(shown);
  const cut = finding.steps.length > STEPS ? `, the last ${STEPS}` : '';
  return html`<h3>
      ${count(finding.steps.length, 'step')}${cut}${axis === undefined ? '' : html` <small>${told(axis)}</small>`}
    </h3>
    <ol class="steps">
      ${shown.map((exchange, index) => html`<li>${stepMarkup(exchange, { isLast: index === last, isOnly: last === 0, bar: barOf(exchange, axis) }, finding.instancePointer)}</li>`)}
    </ol>`;
}

function told({ atOnce, totalMs, isShortened }: Axis): string {
  const parts = [
    atOnce > 1 ? `${atOnce} at the same time` : '',
    `${latency(totalMs)} in total`,
    isShortened ? 'pauses shortened' : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

interface Place {
  readonly isLast: boolean;
  readonly isOnly: boolean;
  readonly bar: Markup;
}

function stepMarkup(exchange: ShownExchange, { isLast, isOnly, bar }: Place, pointer: string | undefined): Markup {
  const { request, response, failure, label, identity, durationMs } = exchange;
  const status = statusOf(exchange);
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const timed = `${latency(durationMs)}${identity === 'full' ? '' : ` · ${credentialsText(identity)}`}`;
  const body =
    response === undefined
      ? html`<p>${failure?.message ?? 'no response'}</p>`
      : html`${headerTable(response.headers)}${response.body === '' ? html`<p class="hint">no body</p>` : bodyMarkup(response.body, isLast ? pointer : undefined)}${response.truncated ? html`<p class="hint">truncated: the rest of the body was not read</p>` : ''}`;
  return html`<details class="exchange" ${isLast ? html` open` : ''}>
    <summary>
      ${label === undefined ? '' : html`<span class="label">${label}</span> `}<code
        ><b>${request.method}</b> ${clip(path, LINE)}</code
      >
      <span class="status s${status[0] ?? ''}">${status}</span>
      <small>${timed}</small>${bar}
    </summary>
    <div class="sides">
      <div>
        <h4>Sent</h4>
        ${headerTable(Object.entries(request.headers))}${request.body === undefined ? '' : bodyMarkup(request.body)}
      </div>
      <div>
        <h4>Received</h4>
        ${body}
      </div>
    </div>
    ${isOnly ? '' : commandBlock('This request', exchange.curl)}
  </details>`;
}

function statusOf({ response, failure }: ShownExchange): string {
  return response === undefined ? (failure?.kind ?? 'no response') : String(response.status);
}

function barOf(exchange: ShownExchange, axis: Axis | undefined): Markup {
  const span = axis?.spans.get(exchange);
  if (span === undefined) return html``;
  const wide = Math.max(LEAST, (span.to - span.from) * WIDTH);
  const left = Math.min(WIDTH - wide, span.from * WIDTH);
  return html`<svg class="when" viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="span s${statusOf(exchange)[0] ?? ''}" x="${left.toFixed(1)}" width="${wide.toFixed(1)}" height="10" />
  </svg>`;
}

function headerTable(headers: readonly (readonly [string, string])[]): Markup {
  const rows = headers.slice(0, HEADERS).map(([name, value]) => [clip(name, LINE), clip(value, 1000)]);
  const rest = headers.length - rows.length;
  return table([{ kind: 'row' }, {}], rest > 0 ? [...rows, ['…', count(rest, 'more header')]] : rows, 'headers');
}

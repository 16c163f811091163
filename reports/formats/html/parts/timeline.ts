import type { ShownExchange } from '../../../../spec/index.ts';
import { latency } from '../../../text/numbers.ts';
import { clip } from '../../../text/visible.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';

const WIDTH = 1000;
/** Shorter requests are drawn as long as this, so that they can be seen. */
const LEAST = 8;
const MOST = 60;

/** A request on the axis of time, in milliseconds since the first one began. */
interface Bar {
  readonly exchange: ShownExchange;
  readonly from: number;
  readonly to: number;
  readonly lane: number;
}

/** When the steps of a finding were sent and answered: one lane for each of several calls at the same time, a timeline otherwise. */
export function timeline(steps: readonly ShownExchange[]): Markup {
  const bars = barsOf(steps.slice(-MOST));
  if (bars.length < 2) return html``;
  const lanes = Math.max(...bars.map(({ lane }) => lane)) + 1;
  const end = Math.max(1, ...bars.map(({ to }) => to));
  const head = lanes > 1 ? `${lanes} calls at the same time` : 'Timeline';
  return html`<h3>${head} <small>${latency(end)} in total</small></h3>
    <ol class="lanes">
      ${bars.map((bar) => row(bar, bars, end, lanes))}
    </ol>`;
}

function barsOf(steps: readonly ShownExchange[]): readonly Bar[] {
  const timed = steps.flatMap((exchange) => (exchange.sentAt === undefined ? [] : [{ exchange, at: exchange.sentAt }]));
  const began = Math.min(...timed.map(({ at }) => at));
  const free: number[] = [];
  return timed
    .toSorted((a, b) => a.at - b.at)
    .map(({ exchange, at }): Bar => {
      const [from, to] = [at - began, at - began + exchange.durationMs];
      const found = free.findIndex((until) => until <= from);
      const lane = found < 0 ? free.length : found;
      free[lane] = to;
      return { exchange, from, to, lane };
    });
}

function row({ exchange, from, to, lane }: Bar, bars: readonly Bar[], end: number, lanes: number): Markup {
  const { label, request, response, failure, durationMs, identity } = exchange;
  const status = response === undefined ? (failure?.kind ?? 'no response') : String(response.status);
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '');
  const concurrent = bars.filter((other) => other.exchange !== exchange && other.from < to && from < other.to);
  return html`<li>
    <p>
      ${lanes > 1 ? html`<b class="lane">${lane + 1}</b> ` : ''}${label === undefined ? '' : html`<b>${label}</b> `}<code
        >${request.method} ${clip(path, 120)}</code
      >
      <span class="status s${status[0] ?? ''}">${status}</span>
      <small
        >at ${latency(from)}, took
        ${latency(durationMs)}${identity === 'full' ? '' : `, token: ${identity}`}${concurrent.length === 0 ? '' : `, during ${concurrent.length} other`}</small
      >
    </p>
    <svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
      ${drawn(from, to, end, `span s${status[0] ?? ''}`)}
    </svg>
  </li>`;
}

function drawn(from: number, to: number, end: number, name: string): Markup {
  const wide = Math.max(LEAST, ((to - from) / end) * WIDTH);
  const left = Math.min(WIDTH - wide, (from / end) * WIDTH);
  return html`<rect class="${name}" x="${left.toFixed(1)}" y="1" width="${wide.toFixed(1)}" height="8" rx="2" />`;
}

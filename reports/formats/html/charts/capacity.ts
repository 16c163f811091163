import type { CapacityRecord } from '../../../../spec/index.ts';
import { latency, thousands, tickLatency } from '../../../text/numbers.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { kneeLine, limitKeys, limitLines } from './guides.ts';
import type { Guide } from './guides.ts';
import { frameMarkup, path, SIZE } from './frame.ts';
import { linearScale, logScale } from './scale.ts';

/** Latency by offered rate, with the steps of the search and the capacity with its interval. */
export function capacityChart(search: Omit<CapacityRecord, 'type'>, limits: readonly Guide[]): Markup {
  const steps = search.steps.toSorted((a, b) => a.offeredRate - b.offeredRate);
  if (steps.length === 0) return html``;
  // The last step of each rate counts.
  const latest = [...new Map(steps.map((step) => [step.offeredRate, step])).values()];
  const { left, right, top, bottom } = SIZE;
  const measured = steps.flatMap((step) => [step.latencyMs.p50, step.latencyMs.p99]);
  const guides = limits.filter(({ at }) => at <= Math.max(...measured) * 100);
  const values = [...measured, ...guides.map(({ at }) => at)];
  const x = linearScale(0, Math.max(search.high, ...steps.map((step) => step.offeredRate)), left, right);
  const y = logScale(Math.min(...values.filter((value) => value > 0), 1), Math.max(...values), bottom, top);
  const line = (pick: (step: (typeof steps)[number]) => number): string =>
    path(latest.map((step) => [x(step.offeredRate), y(pick(step))]));
  const band = html`<rect
    class="band"
    x="${Math.round(x(search.low))}"
    y="${top}"
    width="${Math.max(2, Math.round(x(search.high) - x(search.low)))}"
    height="${bottom - top}"
  />`;
  const dots = steps.map(
    (step) =>
      html`<circle
        class="${step.held ? 'k4' : 'k5'}"
        cx="${Math.round(x(step.offeredRate))}"
        cy="${Math.round(y(step.latencyMs.p99))}"
        r="4"
        ><title>
          ${thousands(step.offeredRate)}/s: p99 ${latency(step.latencyMs.p99)}, ${step.held ? 'met' : 'missed'}
          ${step.reason}
        </title></circle
      >`,
  );
  return frameMarkup({
    title: 'Latency by offered rate',
    x,
    y,
    xLabel: (rate) => (rate === 0 ? '0' : `${thousands(rate)}/s`),
    yLabel: tickLatency,
    keys: [['line k1', 'p99'], ['line k3', 'p50'], ['line k4', 'met'], ['line k5', 'missed'], ...limitKeys(guides)],
    marks: html`${band}<path class="line k3" d="${line((step) => step.latencyMs.p50)}" /><path
        class="line k1"
        d="${line((step) => step.latencyMs.p99)}"
      />${kneeLine(x(search.rate))}${limitLines(guides, y)}${dots}`,
  });
}

import type { Search } from '../../../summary/types.ts';
import { sustained } from '../../../text/capacity.ts';
import { latency, rounded, thousands, tickLatency } from '../../../text/numbers.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { limitKeys, limitLines, markedPlaces } from './guides.ts';
import type { Guide } from './guides.ts';
import { frameMarkup, path, SIZE } from './frame.ts';
import type { Frame } from './frame.ts';
import { linearScale, logScale } from './scale.ts';
import type { Scale } from './scale.ts';

type Step = Search['steps'][number];

const perSecond = (rate: number): string => (rate === 0 ? '0' : `${thousands(rate)}/s`);

/** The steps of a search: their latency, and what succeeded, by offered rate, with the capacity and its interval. */
export function capacityCharts(search: Search, limits: readonly Guide[]): Markup {
  const steps = search.steps.toSorted((a, b) => a.offeredRate - b.offeredRate);
  if (steps.length === 0) return html``;
  const { left, right } = SIZE;
  const x = linearScale(0, Math.max(search.high, ...steps.map((step) => step.offeredRate)), left, right);
  const chart: Chart = { search, steps, x };
  return html`${latencyChart(chart, limits)}${rateChart(chart)}`;
}

interface Chart {
  readonly search: Search;
  /** By offered rate. */
  readonly steps: readonly Step[];
  readonly x: Scale;
}

function latencyChart(chart: Chart, limits: readonly Guide[]): Markup {
  const measured = chart.steps.flatMap((step) => [step.latencyMs.p50, step.latencyMs.p99]);
  const guides = limits.filter(({ at }) => at <= Math.max(...measured) * 100);
  const values = [...measured, ...guides.map(({ at }) => at)];
  const { top, bottom } = SIZE;
  const y = logScale(Math.min(...values.filter((value) => value > 0), 1), Math.max(...values), bottom, top);
  return frameMarkup({
    ...frameOf(chart),
    title: 'Latency',
    note: 'by offered rate, logarithmic',
    y,
    yLabel: tickLatency,
    keys: [['line k1', 'p99'], ['line k3', 'p50'], ...DOTS, ...limitKeys(guides), INTERVAL],
    marks: html`${band(chart)}${line(chart, y, 'k3', ({ latencyMs }) => latencyMs.p50)}${line(chart, y, 'k1', p99)}${limitLines(guides, y)}${dots(chart, y, p99)}${knee(chart)}`,
  });
}

const p99 = ({ latencyMs }: Step): number => latencyMs.p99;

/** What succeeded falls below the dashed line, on which everything succeeds, where the target is at its limit. */
function rateChart(chart: Chart): Markup {
  const most = Math.max(...chart.steps.map(({ offeredRate, rate }) => Math.max(offeredRate, rate)));
  const y = linearScale(0, most, SIZE.bottom, SIZE.top);
  const rateOf = ({ rate }: Step): number => rate;
  return frameMarkup({
    ...frameOf(chart),
    title: 'Succeeded',
    note: 'requests per second, by offered rate',
    y,
    yLabel: perSecond,
    keys: [['line k1', 'succeeded'], ['line k2 ghost', 'offered'], ...DOTS, INTERVAL],
    marks: html`${band(chart)}${line(chart, y, 'k2 ghost', ({ offeredRate }) => offeredRate)}${line(chart, y, 'k1', rateOf)}${dots(chart, y, rateOf)}${knee(chart)}`,
  });
}

const DOTS = [
  ['dot k4', 'met'],
  ['dot k5', 'missed'],
] as const;

const INTERVAL = ['area band', 'interval of the capacity'] as const;

/** The x axis, and what the pointer shows: the steps, the last one of each rate. */
function frameOf({ x, steps }: Chart): Pick<Frame, 'x' | 'xLabel' | 'xTitle' | 'points'> {
  return {
    x,
    xLabel: perSecond,
    xTitle: 'offered requests per second',
    points: {
      names: ['succeeded', 'errors', 'p50', 'p99', 'thresholds'],
      x: latestOf(steps).map(({ offeredRate, rate, errorShare = 0, latencyMs, held }) => [
        Math.round(x(offeredRate)),
        perSecond(offeredRate),
        [
          perSecond(rate),
          `${rounded(errorShare * 100)}%`,
          latency(latencyMs.p50),
          latency(latencyMs.p99),
          held ? 'met' : 'missed',
        ],
      ]),
    },
  };
}

function latestOf(steps: readonly Step[]): readonly Step[] {
  return [...new Map(steps.map((step) => [step.offeredRate, step])).values()];
}

function line({ steps, x }: Chart, y: Scale, tone: string, pick: (step: Step) => number): Markup {
  return html`<path
    class="line ${tone}"
    d="${path(latestOf(steps).map((step) => [x(step.offeredRate), y(pick(step))]))}"
  />`;
}

function band({ search: { low, high }, x }: Chart): Markup {
  return html`<rect
    class="band"
    x="${Math.round(x(low))}"
    y="${SIZE.top}"
    width="${Math.max(2, Math.round(x(high) - x(low)))}"
    height="${SIZE.bottom - SIZE.top}"
  />`;
}

function dots({ steps, x }: Chart, y: Scale, pick: (step: Step) => number): readonly Markup[] {
  return steps.map(
    (step) =>
      html`<circle
        class="${step.held ? 'k4' : 'k5'}"
        cx="${Math.round(x(step.offeredRate))}"
        cy="${Math.round(y(pick(step)))}"
        r="4"
        ><title>${perSecond(step.offeredRate)}: ${step.reason}</title></circle
      >`,
  );
}

function knee({ search, x }: Chart): Markup {
  return search.rate > 0 ? markedPlaces([{ x: x(search.rate), text: sustained(search) }]) : html``;
}

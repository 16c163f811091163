import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { limitKeys, limitLines } from './guides.ts';
import type { Guide } from './guides.ts';
import { frameMarkup, path, SIZE } from './frame.ts';
import { linearScale, logScale } from './scale.ts';

export interface ChartSeries {
  readonly name: string;
  /** Colour, 1 to 5. */
  readonly tone: number;
  /** Of the earlier run: dashed. */
  readonly ghost?: boolean;
  /** Dashed, and drawn below the other lines. */
  readonly dashed?: boolean;
  readonly area?: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  readonly title: string;
  readonly note?: string;
  readonly series: readonly ChartSeries[];
  readonly log?: boolean;
  /** Counts: ticks at whole numbers only. */
  readonly whole?: boolean;
  readonly yLabel: (y: number) => string;
  /** For the value under the pointer; default {@link LineChart.yLabel}. */
  readonly valueLabel?: (y: number) => string;
  readonly guides?: readonly Guide[];
  /** The warm-up ends at this x. */
  readonly shadedTo?: number;
  /** The run ends at this x; default: the last point. */
  readonly endsAt?: number;
}

/** A limit this many times above all values would flatten them. */
const FAR = { log: 100, linear: 3 };

const COLUMNS = 300;

const WARM_UP = 'warm-up, not measured';

/** Lines over the seconds of a run; of long series, the highest point of each column is drawn. */
export function lineChart(chart: LineChart): Markup {
  const series = chart.series
    .map((one) => ({ ...one, points: thin(one.points) }))
    .filter((one) => one.points.length > 0);
  const xs = series.flatMap((one) => one.points.map(([x]) => x));
  const values = series.flatMap((one) => one.points.map(([, y]) => y));
  const far = Math.max(...values, 0) * (chart.log === true ? FAR.log : FAR.linear);
  const guides = (chart.guides ?? []).filter(({ at }) => at > 0 && at <= far);
  const ys = [...values, ...guides.map(({ at }) => at)];
  if (xs.length === 0) return html``;
  const { left, right, top, bottom } = SIZE;
  const positive = ys.filter((y) => y > 0);
  const low = Math.min(...positive, Infinity);
  const y =
    chart.log === true && positive.length > 0
      ? logScale(low, Math.max(...ys), bottom, top)
      : linearScale(0, Math.max(...ys), bottom, top, chart.whole === true);
  const [first, last] = [Math.min(0, ...xs), Math.max(chart.endsAt ?? 0, ...xs)];
  const x = Object.assign(spread(first, last, left, right), { ticks: linearScale(first, last, left, right).ticks });
  const warmup = shadeOf(chart, x);
  const drawn = series.toSorted((a, b) => Number(b.dashed ?? false) - Number(a.dashed ?? false));
  const marks = html`${warmup}${drawn.map((one) => {
    const line = one.points.map(([at, value]) => [x(at), y(value)] as const);
    const area =
      one.area === true
        ? html`<path
            class="area k${one.tone}"
            d="${path(line)}L${line.at(-1)?.[0] ?? left} ${bottom}L${line[0]?.[0] ?? left} ${bottom}Z"
          />`
        : '';
    const dots =
      line.length === 1
        ? html`<circle class="k${one.tone}" cx="${line[0]?.[0] ?? 0}" cy="${line[0]?.[1] ?? 0}" r="3" />`
        : '';
    return html`${area}<path
        class="${strokeOf(one)}"
        d="${path(line)}"
      />${dots}`;
  })}${limitLines(guides, y)}`;
  return frameMarkup({
    title: chart.title,
    ...(chart.note === undefined ? {} : { note: chart.note }),
    x,
    y,
    xLabel: secondLabel,
    xTitle: 'time since the start',
    yLabel: chart.yLabel,
    marks,
    keys: [
      ...series.map((one) => [strokeOf(one), one.name] as const),
      ...limitKeys(guides),
      ...(warmup === '' ? [] : [['area shade', WARM_UP] as const]),
    ],
    points: pointsOf(series, chart, x),
  });
}

/** The time of the warm-up. */
function shadeOf({ shadedTo = 0 }: LineChart, x: (value: number) => number): Markup | '' {
  const { left, right, top, bottom } = SIZE;
  const shade = Math.min(right, x(shadedTo));
  return shade <= left + 1
    ? ''
    : html`<rect class="shade" x="${left}" y="${top}" width="${Math.round(shade - left)}" height="${bottom - top}"
          ><title>${WARM_UP}</title></rect
        >`;
}

function strokeOf({ tone, ghost, dashed }: ChartSeries): string {
  return `line k${tone}${ghost === true ? ' ghost' : ''}${dashed === true ? ' dashed' : ''}`;
}

function spread(low: number, high: number, from: number, to: number): (value: number) => number {
  return (value) => (high === low ? (from + to) / 2 : from + ((value - low) / (high - low)) * (to - from));
}

function pointsOf(
  series: readonly ChartSeries[],
  chart: LineChart,
  x: (value: number) => number,
): { names: string[]; x: [number, string, string[]][] } {
  const places = [...new Set(series.flatMap((one) => one.points.map(([at]) => at)))].toSorted((a, b) => a - b);
  const values = series.map((one) => new Map(one.points));
  return {
    names: series.map((one) => one.name),
    x: places.map((at) => [
      Math.round(x(at)),
      secondLabel(Math.floor(at)),
      values.map((known) => {
        const value = known.get(at);
        return value === undefined ? '–' : (chart.valueLabel ?? chart.yLabel)(value);
      }),
    ]),
  };
}

function thin(points: ChartSeries['points']): ChartSeries['points'] {
  if (points.length <= COLUMNS) return points;
  const size = Math.ceil(points.length / COLUMNS);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => {
    const column = points.slice(index * size, (index + 1) * size);
    return [column[0]?.[0] ?? 0, Math.max(...column.map(([, y]) => y))] as const;
  });
}

/** `90 s`, `2:05 min`, `1:02:05 h`. */
function secondLabel(second: number): string {
  if (second < 120) return `${second} s`;
  const [hours, minutes] = [Math.floor(second / 3600), Math.floor((second % 3600) / 60)];
  const short = `${minutes}:${String(Math.round(second % 60)).padStart(2, '0')}`;
  return hours === 0 ? `${short} min` : `${hours}:${short.padStart(5, '0')} h`;
}

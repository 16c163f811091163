import * as hdr from 'hdr-histogram-js';
import { thousands, tickLatency } from '../../../text/numbers.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { markedPlaces } from './guides.ts';
import { frameMarkup, path, SIZE } from './frame.ts';
import { logScale } from './scale.ts';

const BINS = 60;

export interface Distribution {
  /** Latency in milliseconds at the lower edge of each bin, and how many requests fell into it. */
  readonly bins: readonly (readonly [ms: number, count: number])[];
  readonly total: number;
}

/** Reads a histogram in microseconds as the log holds it; undefined for anything else. */
export function readHistogram(encoded: string): Distribution | undefined {
  if (encoded === '') return undefined;
  try {
    const histogram = hdr.decodeFromCompressedBase64(encoded);
    return histogram instanceof hdr.JsHistogram ? binned(histogram) : undefined;
  } catch {
    return undefined;
  }
}

function binned(histogram: hdr.JsHistogram): Distribution {
  const low = Math.log10(Math.max(1, histogram.minNonZeroValue));
  const high = Math.max(low + 0.3, Math.log10(Math.max(2, histogram.maxValue)));
  const counts = Array.from({ length: BINS }, () => 0);
  const iterator = histogram.recordedValuesIterator;
  iterator.reset();
  while (iterator.hasNext()) {
    const { valueIteratedTo, countAddedInThisIterationStep } = iterator.next();
    const bin = Math.floor(((Math.log10(Math.max(1, valueIteratedTo)) - low) / (high - low)) * BINS);
    const at = Math.min(BINS - 1, Math.max(0, bin));
    counts[at] = (counts[at] ?? 0) + countAddedInThisIterationStep;
  }
  return {
    bins: counts.map((count, bin) => [10 ** (low + (bin / BINS) * (high - low)) / 1000, count]),
    total: histogram.totalCount,
  };
}

/** The distribution of latencies with marked percentiles; an earlier run is an outline. */
export function distributionChart(
  now: Distribution,
  percentiles: Readonly<Record<string, number>>,
  earlier?: Distribution,
): Markup {
  const { left, right, top, bottom } = SIZE;
  const all = [...now.bins, ...(earlier?.bins ?? [])].map(([ms]) => ms);
  const x = logScale(Math.min(...all), Math.max(...all, ...Object.values(percentiles)), left, right);
  const share = (one: Distribution): (readonly [number, number])[] =>
    one.bins.map(([ms, count]) => [ms, (count / Math.max(1, one.total)) * 100]);
  const shares = [...share(now), ...(earlier === undefined ? [] : share(earlier))]
    .map(([, part]) => part)
    .filter((part) => part > 0);
  const y = logScale(Math.min(...shares, 1), Math.max(...shares, 1), bottom, top);
  const steps = (one: Distribution): string =>
    path(
      share(one).flatMap(([ms, part], index, list) => {
        const next = list[index + 1]?.[0] ?? ms;
        return [[x(ms), y(part)] as const, [x(next), y(part)] as const];
      }),
    );
  const lines = markedPlaces(Object.entries(percentiles).map(([text, ms]) => ({ x: x(ms), text })));
  const marks = html`<path class="area k1" d="${steps(now)}V${bottom}H${Math.round(x(now.bins[0]?.[0] ?? 0))}Z" /><path
      class="line k1"
      d="${steps(now)}"
    />${earlier === undefined ? '' : html`<path class="line k2 ghost" d="${steps(earlier)}" />`}${lines}`;
  return frameMarkup({
    title: 'Distribution of latency',
    note: `${thousands(now.total)} requests, logarithmic`,
    x,
    y,
    xLabel: tickLatency,
    yLabel: (part) => `${Number(part.toPrecision(3))}%`,
    marks,
    keys:
      earlier === undefined
        ? []
        : [
            ['line k1', 'this run'],
            ['line k2 ghost', 'earlier run'],
          ],
  });
}

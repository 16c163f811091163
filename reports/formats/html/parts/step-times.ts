import type { ShownExchange } from '../../../../spec/index.ts';

/** Longest pause that is drawn, as a share of the time with requests in flight. */
const PAUSE = 0.15;

/** When the exchanges of a finding were in flight. */
export interface Axis {
  /** Start and end of each, from 0 to 1. */
  readonly spans: ReadonlyMap<ShownExchange, { readonly from: number; readonly to: number }>;
  /** Most exchanges in flight at one time. */
  readonly atOnce: number;
  readonly totalMs: number;
  /** Pauses are drawn shorter than they were. */
  readonly isShortened: boolean;
}

/** Places the exchanges on an axis; undefined where fewer than two have a time. */
export function axisOf(steps: readonly ShownExchange[]): Axis | undefined {
  const bars = steps
    .flatMap((exchange) =>
      exchange.sentAt === undefined
        ? []
        : [{ exchange, from: exchange.sentAt, to: exchange.sentAt + exchange.durationMs }],
    )
    .toSorted((a, b) => a.from - b.from);
  const [first] = bars;
  if (first === undefined || bars.length < 2) return undefined;
  const pauses = pausesBetween(bars);
  const end = Math.max(...bars.map(({ to }) => to));
  const paused = pauses.reduce((sum, { ms }) => sum + ms, 0);
  const longest = (end - first.from - paused) * PAUSE;
  const cut = (at: number): number =>
    pauses.filter((pause) => pause.until <= at).reduce((sum, { ms }) => sum + Math.max(0, ms - longest), 0);
  const length = Math.max(end - first.from - cut(end), 1e-6);
  const place = (at: number): number => (at - first.from - cut(at)) / length;
  return {
    spans: new Map(bars.map(({ exchange, from, to }) => [exchange, { from: place(from), to: place(to) }])),
    atOnce: Math.max(...bars.map(({ from }) => bars.filter((other) => other.from <= from && from < other.to).length)),
    totalMs: end - first.from,
    isShortened: pauses.some(({ ms }) => ms > longest),
  };
}

interface Pause {
  readonly until: number;
  readonly ms: number;
}

function pausesBetween(bars: readonly { readonly from: number; readonly to: number }[]): readonly Pause[] {
  let busyUntil = bars[0]?.from ?? 0;
  return bars.flatMap(({ from, to }) => {
    const ms = from - busyUntil;
    busyUntil = Math.max(busyUntil, to);
    return ms > 0 ? [{ until: from, ms }] : [];
  });
}

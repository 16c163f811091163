import { thousands } from '../../spec/count.ts';

export { amountOf, count, thousands } from '../../spec/count.ts';

/** The first of some names, and how many more there are. */
export function some(items: readonly string[], limit: number): string {
  const rest = items.length - limit;
  return items.slice(0, limit).join(', ') + (rest > 0 ? ` and ${thousands(rest)} more` : '');
}

/** A duration: `640 ms`, `4.2 s`, `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return ms < 59_950 ? `${(ms / 1000).toFixed(1)} s` : wholeSeconds(Math.round(ms / 1000));
}

/** An estimated duration, rounded up: `43 s`, `3 min 5 s`. */
export function wholeSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** A latency at a tick of an axis: `10 ms`, `1 s`. */
export function tickLatency(ms: number): string {
  return ms >= 1000 ? `${Number((ms / 1000).toPrecision(3))} s` : `${Number(ms.toPrecision(3))} ms`;
}

/** A latency with three significant digits: `0.76 ms`, `12.3 ms`, `1.20 s`. */
export function latency(ms: number): string {
  if (ms >= 999.5) return `${(ms / 1000).toPrecision(3)} s`;
  if (ms >= 100) return `${Math.round(ms)} ms`;
  return `${ms === 0 ? '0' : ms.toPrecision(ms < 0.1 ? 1 : ms < 10 ? 2 : 3)} ms`;
}

/** A latency of responses; `–` where there was none. */
export function responseLatency(ms: number): string {
  return ms === 0 ? '–' : latency(ms);
}

/** Four significant digits: `0.06`, `981`. */
export function rounded(value: number): string {
  return Number.isInteger(value) ? thousands(value) : String(Number(value.toPrecision(4)));
}

export function errorCount(errors: Readonly<Record<string, number>>): number {
  return Object.values(errors).reduce((sum, amount) => sum + amount, 0);
}

const UNITS: Readonly<Record<string, string>> = { errors: '%', checks: '%', rate: '/s', violations: '', unsent: '' };

interface MeasuredValue {
  readonly metric?: string;
  readonly value: number;
  readonly noData?: boolean;
}

/** The measured value of a threshold: `310 ms`, `0.06%`, `981/s`, `no data`; without a unit if the log has no metric. */
export function measured({ metric, value, noData }: MeasuredValue): string {
  if (noData === true) return 'no data';
  if (metric === undefined) return rounded(value);
  const unit = UNITS[metric];
  return unit === undefined ? responseLatency(value) : `${rounded(value)}${unit}`;
}

/** `21 Nov 2026, 08:00 UTC`. */
export function day(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })}, ${date.toISOString().slice(11, 16)} UTC`;
}

import type { TickRecord } from '../../spec/index.ts';
import { recordsOf } from '../records.ts';
import { outcomesOf } from '../text/load.ts';
import { errorCount } from '../text/numbers.ts';
import type { ReportView } from '../view.ts';

/** `outcomes`: `200=198;timeout=2`; rates per second, latencies in milliseconds. */
const HEAD = [
  'scenario',
  'second',
  'part',
  'operation',
  'offeredRate',
  'rate',
  'requests',
  'errors',
  'inFlight',
  'p50',
  'p90',
  'p95',
  'p99',
  'p99_9',
  'max',
  'outcomes',
] as const;

/** One second of a scenario, or of one of its parts and operations, whose names are empty for the whole scenario. */
type Point = Readonly<Record<(typeof HEAD)[number], string | number>>;

function pointsOf({
  scenario,
  second,
  offeredRate,
  rate,
  errors,
  inFlight,
  latencyMs,
  parts = [],
}: TickRecord): Point[] {
  const requests = parts.reduce((sum, part) => sum + part.requests, 0);
  const whole = { part: '', operation: '', offeredRate, rate, errors, inFlight, outcomes: '' };
  return [
    { scenario, second, ...whole, requests: parts.length > 0 ? requests : '', ...latencyMs },
    ...parts.map((one) => ({
      scenario,
      second,
      part: one.part,
      operation: one.operation,
      offeredRate: '',
      rate: '',
      requests: one.requests,
      errors: errorCount(one.errors),
      inFlight: '',
      ...one.latencyMs,
      outcomes: outcomesOf(one)
        .map(([name, amount]) => `${name}=${amount}`)
        .join(';'),
    })),
  ];
}

function pointsOfRun({ records }: ReportView): Point[] {
  return recordsOf(records, 'tick').flatMap(pointsOf);
}

/** A cell in the quotes of RFC 4180; a text that spreadsheets take for a formula gets an apostrophe. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(view: ReportView): string | undefined {
  const rows = pointsOfRun(view).map((point) => HEAD.map((name) => cell(point[name])).join(','));
  if (rows.length === 0) return undefined;
  return [HEAD.join(','), ...rows, ''].join('\r\n');
}

export function ndjsonOf(view: ReportView): string | undefined {
  const points = pointsOfRun(view);
  if (points.length === 0) return undefined;
  return points
    .map((point) => JSON.stringify(Object.fromEntries(Object.entries(point).filter(([, value]) => value !== ''))))
    .map((line) => `${line}\n`)
    .join('');
}

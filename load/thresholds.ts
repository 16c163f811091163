import { usageError } from '../spec/index.ts';
import type { Series } from './engines/traffic.ts';
import type { FlowTotals } from './flow/totals.ts';
import type { Measurement } from './measurement.ts';
import { Tally } from './tally.ts';

type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** A condition on a measurement, for example `p99<200`. */
export interface Threshold {
  readonly expression: string;
  readonly metric: string;
  readonly comparison: Comparison;
  /** Label of a part, or an operation; default: all requests. */
  readonly part?: string;
  /** Milliseconds for latencies, 0 to 1 for `errors` and `checks`, a count or requests per second otherwise. */
  readonly limit: number;
}

/** The figures that thresholds are evaluated on. */
export interface Measured {
  /** Milliseconds at a percentile, 0 to 100. */
  percentile(percent: number): number;
  readonly mean: number;
  /** Requests, or iterations of a flow, that have ended; without any, no condition is met. */
  readonly requests: number;
  /** Accepted responses; without any, conditions on latency are not met. */
  readonly answered: number;
  /** Share of requests without an accepted response, 0 to 1. */
  readonly errorShare: number;
  /** Accepted responses per second. */
  readonly rate: number;
  readonly violations: number;
  readonly unsent: number;
  /** Share of the checks of a flow that passed, 0 to 1; undefined without checks. */
  readonly checkShare: number | undefined;
  /** The figures of a part, an operation, or the iterations of a flow; undefined if none has that name. */
  part(name: string): PartMeasured | undefined;
}

/** The figures that a threshold of one part is evaluated on. */
export type PartMeasured = Pick<Measured, 'percentile' | 'mean' | 'requests' | 'answered' | 'errorShare' | 'rate'>;

export interface ThresholdOutcome extends Omit<Threshold, 'comparison' | 'limit'> {
  /** In the unit that the expression is written in: milliseconds, percent for `errors` and `checks`, a count or a rate. */
  readonly value: number;
  readonly held: boolean;
  /** Nothing was measured that the value could be computed from. */
  readonly noData?: true;
  /** In the unit of `value`. */
  readonly limit: number;
}

const METRICS = {
  mean: (measured: Measured) => measured.mean,
  max: (measured: Measured) => measured.percentile(100),
  errors: (measured: Measured) => measured.errorShare,
  rate: (measured: Measured) => measured.rate,
  violations: (measured: Measured) => measured.violations,
  unsent: (measured: Measured) => measured.unsent,
  checks: (measured: Measured) => measured.checkShare ?? 0,
} satisfies Record<string, (measured: Measured) => number>;

/** Metrics that can be limited to a part. */
const OF_PARTS = /^(?:p[\d.]+|mean|max|errors|rate)$/;

const COMPARE: Readonly<Record<Comparison, (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '==': (value, limit) => value === limit,
  '!=': (value, limit) => value !== limit,
};

const UNITS: Readonly<Record<'time' | 'share' | 'rate' | 'count', Readonly<Record<string, number>>>> = {
  time: { '': 1, us: 0.001, µs: 0.001, ms: 1, s: 1000, min: 60_000 },
  share: { '%': 0.01, '': 1 },
  rate: { '': 1, '/s': 1 },
  count: { '': 1 },
};

function kindOf(metric: string): keyof typeof UNITS | undefined {
  const percent = /^p(\d{1,2}(?:\.\d+)?|100)$/.exec(metric)?.[1];
  if (percent !== undefined) return Number(percent) === 0 ? undefined : 'time';
  if (metric === 'mean' || metric === 'max') return 'time';
  if (metric === 'errors' || metric === 'checks') return 'share';
  if (metric === 'rate') return 'rate';
  return metric === 'violations' || metric === 'unsent' ? 'count' : undefined;
}

const SUFFIXES = { time: ' ms', share: '%', rate: '/s', count: '' } as const satisfies Record<
  keyof typeof UNITS,
  string
>;

/** The measured value with its unit, for example `57.4 ms`. */
export function outcomeText({ metric, value }: ThresholdOutcome): string {
  const kind = kindOf(metric);
  return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(3))}${kind === undefined ? '' : SUFFIXES[kind]}`;
}

const FORM =
  /^\s*([a-z][\w.]*)\s*(?:\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\})?\s*(<=|>=|==|!=|<|>)\s*([\d.]+(?:e[+-]?\d+)?)\s*([a-zµ%/]+)?\s*$/i;

/** A number without a unit may be meant as a share or as percent. */
function shareProblem(metric: string, number: number): string {
  const percent = number <= 1 ? ` or ${Number((number * 100).toPrecision(6))}%` : '';
  return `${metric} needs a unit; write ${number}%${percent}`;
}

function unitProblem(metric: string, unit: string, kind: keyof typeof UNITS): string {
  const units = Object.keys(UNITS[kind]).filter((each) => each !== '');
  return `${metric} has no unit "${unit}"; ${units.length === 0 ? 'write a number' : `use ${units.join(', ')}`}`;
}

function parse(expression: string): Threshold | string {
  const [, rawMetric, rawPart, comparison, number, rawUnit] = FORM.exec(expression) ?? [];
  if (rawMetric === undefined || number === undefined) return 'expected METRIC COMPARISON NUMBER';
  const metric = rawMetric.toLowerCase();
  const unit = rawUnit?.toLowerCase() ?? '';
  const kind = kindOf(metric);
  if (kind === undefined) return `unknown metric "${rawMetric}"`;
  const part = rawPart?.trim();
  if (part !== undefined && !OF_PARTS.test(metric)) return `${metric} cannot be limited to a part`;
  if (kind === 'share' && unit === '' && Number(number) !== 0) return shareProblem(metric, Number(number));
  const factor = UNITS[kind][unit];
  if (factor === undefined) return unitProblem(metric, unit, kind);
  const limit = Number(number) * factor;
  if (!Number.isFinite(limit)) return `"${number}" is not a number`;
  if (kind === 'share' && limit > 1) return `${metric} cannot be above 100%`;
  return {
    expression: expression.trim(),
    metric,
    comparison: comparison as Comparison,
    limit,
    ...(part === undefined ? {} : { part }),
  };
}

const HINT =
  'Examples: p99<200ms, p99.9<1s, mean<50ms, errors<0.1%, rate>1000, violations==0, p99{ingestion}<200ms (one part), checks>99%.';

/** Parses expressions; throws one AssayError (exit code 2) that names all invalid ones. */
export function parseThresholds(expressions: readonly string[]): Threshold[] {
  const parsed = expressions.map(parse);
  const problems = parsed.flatMap((result, index) =>
    typeof result === 'string' ? [`"${expressions[index]}": ${result}`] : [],
  );
  if (problems.length > 0) throw usageError(`Invalid threshold ${problems.join('; ')}.`, HINT);
  return parsed.filter((result) => typeof result !== 'string');
}

/** Throws an AssayError (exit code 2) for thresholds of parts that the traffic does not have, and of checks, which only flows have. */
export function checkParts(thresholds: readonly Threshold[], series: readonly Series[]): void {
  const ofChecks = thresholds.find(({ metric }) => metric === 'checks');
  if (ofChecks !== undefined)
    throw usageError(
      `The scenario has no checks: threshold "${ofChecks.expression}".`,
      'Only flows have checks; errors is the share of requests that failed, violations the number of responses that violate the contract.',
    );
  const known = [...new Set(series.flatMap(({ part, operation }) => [part, operation]))];
  const wrong = thresholds.filter(({ part }) => part !== undefined && !known.includes(part));
  if (wrong.length === 0) return;
  throw usageError(
    `No such part: threshold ${wrong.map(({ expression }) => `"${expression}"`).join(', ')}.`,
    `Parts and operations of this scenario: ${known.join(', ')}.`,
  );
}

function valueOf(metric: string, measured: Measured): number {
  if (metric in METRICS) return METRICS[metric as keyof typeof METRICS](measured);
  return measured.percentile(Number(metric.slice(1)));
}

/** Evaluates a threshold. It is missed if there is nothing to evaluate it on: for one on latency, if no response was accepted. */
export function judgeThreshold(threshold: Threshold, measured: Measured): ThresholdOutcome {
  const { metric, comparison, limit, expression, part } = threshold;
  const own = part === undefined ? measured : measured.part(part);
  const kind = kindOf(metric);
  const unit = kind === 'share' ? 100 : 1;
  const base = { expression, metric, limit: limit * unit, ...(part === undefined ? {} : { part }) };
  if (own === undefined) return { ...base, value: 0, held: false, noData: true };
  const value = valueOf(metric, { ...measured, ...own });
  // Requests that could not be sent, and violations, are data of their own.
  const hasData =
    metric === 'checks'
      ? measured.checkShare !== undefined
      : (kind === 'time' ? own.answered : own.requests) > 0 || (kind === 'count' && value > 0);
  if (!hasData) return { ...base, value: value * unit, held: false, noData: true };
  return { ...base, value: value * unit, held: COMPARE[comparison](value, limit) };
}

/** The iterations of a flow, as thresholds name them. */
const ITERATIONS = 'iterations';

function partMeasured(tally: Tally, spanMs: number): PartMeasured {
  const { latencies, requests, answered, errorShare } = tally;
  return {
    percentile: (percent) => latencies.percentile(percent),
    mean: latencies.meanMs,
    requests,
    answered,
    errorShare,
    rate: tally.rateOver(spanMs),
  };
}

function iterationsMeasured({ latencies, completed, failed, iterations }: FlowTotals, spanMs: number): PartMeasured {
  return {
    percentile: (percent) => latencies.percentile(percent),
    mean: latencies.meanMs,
    requests: iterations,
    answered: completed,
    errorShare: iterations === 0 ? 0 : failed / iterations,
    rate: spanMs === 0 ? 0 : (completed * 1000) / spanMs,
  };
}

/** The figures of a measurement after the warm-up, for thresholds. */
export function measuredOf({ parts, steady }: Measurement, violations: number): Measured {
  return {
    ...partMeasured(steady, steady.spanMs),
    violations,
    unsent: steady.unsent,
    checkShare: steady.flow.checkShare,
    part(name) {
      if (name === ITERATIONS && steady.flow.iterations > 0) return iterationsMeasured(steady.flow, steady.spanMs);
      const part = parts.find(({ label }) => label === name);
      if (part) return partMeasured(part, steady.spanMs);
      const own = parts.flatMap(({ operations }) => operations.get(name) ?? []);
      if (own.length === 0) return undefined;
      const all = new Tally();
      for (const tally of own) all.merge(tally);
      return partMeasured(all, steady.spanMs);
    },
  };
}

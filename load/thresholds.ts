import { AssayError, EXIT } from '../spec/index.ts';

type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** A condition on a measurement, for example `p99<200`. */
export interface Threshold {
  readonly expression: string;
  readonly metric: string;
  readonly comparison: Comparison;
  /** Milliseconds for latencies, 0 to 1 for `errors`, a count or requests per second otherwise. */
  readonly limit: number;
}

/** The figures that thresholds are evaluated on. */
export interface Measured {
  /** Milliseconds at a percentile, 0 to 100. */
  percentile(percent: number): number;
  readonly mean: number;
  /** Accepted responses; without any, conditions on latency are not met. */
  readonly answered: number;
  /** Share of requests without an accepted response, 0 to 1. */
  readonly errorShare: number;
  /** Accepted responses per second. */
  readonly rate: number;
  readonly violations: number;
  readonly unsent: number;
}

export interface ThresholdOutcome {
  readonly expression: string;
  /** In the unit that the expression is written in: milliseconds, percent for `errors`, a count or a rate. */
  readonly value: number;
  readonly held: boolean;
}

const METRICS = {
  mean: (measured: Measured) => measured.mean,
  max: (measured: Measured) => measured.percentile(100),
  errors: (measured: Measured) => measured.errorShare,
  rate: (measured: Measured) => measured.rate,
  violations: (measured: Measured) => measured.violations,
  unsent: (measured: Measured) => measured.unsent,
} satisfies Record<string, (measured: Measured) => number>;

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
  share: { '': 1, '%': 0.01 },
  rate: { '': 1, '/s': 1 },
  count: { '': 1 },
};

function kindOf(metric: string): keyof typeof UNITS | undefined {
  const percent = /^p(\d{1,2}(?:\.\d+)?|100)$/.exec(metric)?.[1];
  if (percent !== undefined || metric === 'mean' || metric === 'max') return percent === '0' ? undefined : 'time';
  if (metric === 'errors') return 'share';
  if (metric === 'rate') return 'rate';
  return metric === 'violations' || metric === 'unsent' ? 'count' : undefined;
}

const FORM = /^\s*([a-z][\w.]*)\s*(<=|>=|==|!=|<|>)\s*([\d.]+(?:e[+-]?\d+)?)\s*(µs|us|ms|min|s|%|\/s)?\s*$/i;

function parse(expression: string): Threshold | string {
  const [, rawMetric, comparison, number, rawUnit] = FORM.exec(expression) ?? [];
  if (rawMetric === undefined || number === undefined) return 'expected METRIC COMPARISON NUMBER';
  const metric = rawMetric.toLowerCase();
  const unit = rawUnit?.toLowerCase() ?? '';
  const kind = kindOf(metric);
  if (kind === undefined) return `unknown metric "${rawMetric}"`;
  const factor = UNITS[kind][unit];
  if (factor === undefined) return `${metric} has no unit "${unit}"`;
  const limit = Number(number) * factor;
  if (!Number.isFinite(limit)) return `"${number}" is not a number`;
  if (kind === 'share' && limit > 1) return `a share of errors is at most 1; write ${number}%`;
  return { expression: expression.trim(), metric, comparison: comparison as Comparison, limit };
}

const HINT = 'Examples: p99<200 (milliseconds), p99.9<1s, mean<50, errors<0.1%, rate>1000, violations==0.';

/** Parses expressions; one AssayError (exit code 2) names all that are invalid. */
export function parseThresholds(expressions: readonly string[]): Threshold[] {
  const parsed = expressions.map(parse);
  const problems = parsed.flatMap((result, index) =>
    typeof result === 'string' ? [`"${expressions[index]}": ${result}`] : [],
  );
  if (problems.length > 0)
    throw new AssayError(`Invalid threshold ${problems.join('; ')}.`, { hint: HINT, exitCode: EXIT.usage });
  return parsed.filter((result) => typeof result !== 'string');
}

function valueOf(metric: string, measured: Measured): number {
  if (metric in METRICS) return METRICS[metric as keyof typeof METRICS](measured);
  return measured.percentile(Number(metric.slice(1)));
}

export function judgeThreshold(threshold: Threshold, measured: Measured): ThresholdOutcome {
  const value = valueOf(threshold.metric, measured);
  const measurable = measured.answered > 0 || kindOf(threshold.metric) !== 'time';
  const held = measurable && COMPARE[threshold.comparison](value, threshold.limit);
  return { expression: threshold.expression, value: threshold.metric === 'errors' ? value * 100 : value, held };
}

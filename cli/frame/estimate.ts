import { measureLatency } from '../../client/index.ts';
import { duration } from '../../reports/index.ts';
import type { Contract } from '../../spec/index.ts';
import { DEPTHS } from '../../suites/index.ts';
import type { SuiteRunOptions } from '../../suites/index.ts';

/** Requests that are under way at once, on average: measured at 120 ms per response. */
const AT_ONCE = 14;

/** Milliseconds of work that a request costs: measured with the embedded service on two cores. */
const OWN_MS = 1.1;

/** Requests per operation: without generated cases, and for each case of `--runs`. Measured with the built-in description. */
const REQUESTS = { fixed: 230, perRun: 10 };

/** Samples of the latency before a run. */
const SAMPLES = 5;

type Limits = Pick<SuiteRunOptions, 'maxRate' | 'maxTimeMs'>;

/** About how many seconds that many requests take; a run ends when its time is over. */
export function secondsFor(
  requests: number,
  latencyMs: number,
  { maxRate = Number.POSITIVE_INFINITY, maxTimeMs = Number.POSITIVE_INFINITY }: Limits,
): number {
  const seconds = (requests * Math.max(OWN_MS, latencyMs / AT_ONCE)) / 1000;
  return Math.ceil(Math.min(maxTimeMs / 1000, Math.max(seconds, requests / maxRate)));
}

/** What a run will do and how long that takes: `43 operations, 120 ms per response: about 1 min 50 s; thorough would take 9 min`. */
export async function planLine(options: SuiteRunOptions, contract: Contract): Promise<string> {
  const { operations } = contract;
  const latencyMs = options.embedded ? 0 : await measureLatency(options, contract, SAMPLES);
  const requestsWith = (runs: number): number =>
    operations.length *
    Math.min(options.maxRequests ?? Number.POSITIVE_INFINITY, REQUESTS.fixed + REQUESTS.perRun * runs);
  const timeOf = (runs: number, limits: Limits): string =>
    duration(1000 * secondsFor(requestsWith(runs), latencyMs ?? 0, limits));
  const latency = options.embedded || latencyMs === undefined ? '' : `, ${Math.round(latencyMs)} ms per response`;
  const { runs } = DEPTHS.thorough;
  const { maxTimeMs: _maxTimeMs, ...unlimited } = options;
  const thorough = options.runs < runs ? `; --depth thorough would take ${timeOf(runs, unlimited)}` : '';
  return `${operations.length} operations${latency}: about ${timeOf(options.runs, options)}${thorough}`;
}

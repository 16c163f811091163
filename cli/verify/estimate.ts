import { measureLatency } from '../../client/index.ts';
import { count, wholeSeconds } from '../../reports/index.ts';
import type { Contract } from '../../spec/index.ts';
import { DEPTHS, groupsWith, paceAt, RemainingTime, runMs } from '../../suites/index.ts';
import type { RunShape, SuiteRunOptions } from '../../suites/index.ts';

const SAMPLES = 5;

function shapeOf({ allow, runs, maxRate, maxRequests, only, skip }: SuiteRunOptions, contract: Contract): RunShape {
  const operations = contract.operations.filter(({ effect }) => allow.includes(effect)).length;
  const isSelection = only.length > 0 || skip.length > 0;
  return { operations, runs, maxRate, maxRequests, ...(isSelection ? { groups: groupsWith(only, skip) } : {}) };
}

/** The extent of a run as a line, such as `43 operations, 120 ms per response: about 1 min 50 s if few tests fail`, and its progress. */
export async function planTests(
  options: SuiteRunOptions,
  contract: Contract,
): Promise<{ readonly line: string; readonly remaining: RemainingTime }> {
  // The plan of a selection is not printed.
  const isMeasured = !options.embedded && options.only.length === 0;
  const latencyMs = isMeasured ? ((await measureLatency(options, contract, SAMPLES)) ?? 0) : 0;
  const pace = paceAt(latencyMs);
  const shape = shapeOf(options, contract);
  const timeOf = (runs: number, budgetMs?: number): string =>
    wholeSeconds(runMs({ ...shape, runs }, pace, budgetMs) / 1000);
  const latency = latencyMs === 0 ? '' : `, ${Math.round(latencyMs)} ms per response`;
  const { runs } = DEPTHS.thorough;
  const thorough = options.runs < runs ? `; --depth thorough would take ${timeOf(runs)}` : '';
  return {
    line: `${count(contract.operations.length, 'operation')}${latency}: about ${timeOf(options.runs, options.maxTimeMs)} if few tests fail${thorough}`,
    remaining: new RemainingTime(shape, pace),
  };
}

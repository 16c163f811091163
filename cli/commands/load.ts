import { compareRuns, findScenario, parseThresholds, runLoad } from '../../load/index.ts';
import type { CommonOptions, LoadOptions } from '../../load/index.ts';
import { readLog } from '../../reports/index.ts';
import { EXIT, loadContract } from '../../spec/index.ts';
import type { RunRecord } from '../../spec/index.ts';
import { withLoad } from '../frame/load-run.ts';
import { recordRun } from '../frame/record-run.ts';
import { orProblem, orProblemLater, sinksOf } from '../frame/sinks.ts';
import { refuse } from '../problems.ts';
import { comparisonLines } from '../text/comparison.ts';
import type { LoadOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';
import type { Settings } from '../options/table.ts';

function shapeOf(settings: Settings<LoadOption>, scenarios: readonly string[]): Omit<LoadOptions, keyof CommonOptions> {
  const { engine, rate, duration, profile, arrivals, warmup } = settings;
  return {
    scenarios,
    ...(engine === undefined ? {} : { model: engine }),
    ...(rate === undefined ? {} : { rate }),
    ...(duration === undefined ? {} : { durationMs: duration }),
    ...(profile === undefined ? {} : { profile }),
    ...(arrivals === undefined ? {} : { arrivals }),
    ...(warmup === undefined ? {} : { warmupMs: warmup }),
  };
}

/** Compares this run with earlier ones, says so, and tells whether anything is worse by more than the noise. */
function compare(earlier: readonly RunRecord[], records: readonly RunRecord[]): boolean {
  const comparisons = compareRuns(earlier, records);
  process.stdout.write(`${comparisonLines(comparisons).join('\n')}\n`);
  return comparisons.some(({ worse }) => worse);
}

/** Runs load scenarios and judges their thresholds. */
export async function load(invocation: Invocation<LoadOption>): Promise<number> {
  const { settings, operands, problems, directory, signal } = invocation;
  const sinks = sinksOf(settings, directory, problems);
  for (const name of operands) await orProblemLater(name, problems, () => findScenario(name));
  orProblem('--threshold', problems, () => parseThresholds(settings.threshold));
  const earlier = settings.compare.flatMap((dir) => orProblem('--compare', problems, () => readLog(dir)) ?? []);
  refuse(problems);
  const contract = await loadContract(settings.spec);
  const shape = shapeOf(settings, operands);
  const records: RunRecord[] = [];
  const code = await recordRun(sinks, signal, async (teller) => {
    const work = async (options: CommonOptions): Promise<void> => {
      for await (const record of runLoad({ ...options, ...shape })) {
        records.push(record);
        teller.emit(record);
      }
    };
    await withLoad({ command: 'load', settings, contract, signal, teller, told: { ...shape }, work });
  });
  const isWorse = earlier.length > 0 && compare(earlier, records);
  return code === EXIT.passed && isWorse ? EXIT.threshold : code;
}

import { findScenario, parseThresholds, searchCapacity } from '../../load/index.ts';
import type { CommonOptions } from '../../load/index.ts';
import { loadContract } from '../../spec/index.ts';
import { withLoad } from '../frame/load-run.ts';
import { recordRun } from '../frame/record-run.ts';
import { orProblem, orProblemLater, sinksOf } from '../frame/sinks.ts';
import { refuse } from '../problems.ts';
import type { CapacityOption } from '../catalogue.ts';
import type { Invocation } from '../invocation.ts';

/** Finds the highest offered rate that still meets the thresholds of a scenario. */
export async function capacity(invocation: Invocation<CapacityOption>): Promise<number> {
  const { settings, operands, problems, directory, signal } = invocation;
  const [scenario = ''] = operands;
  const sinks = sinksOf(settings, directory, problems);
  await orProblemLater('scenario', problems, () => findScenario(scenario));
  orProblem('--threshold', problems, () => parseThresholds(settings.threshold));
  refuse(problems);
  const contract = await loadContract(settings.spec);
  const { budget } = settings;
  return recordRun(sinks, signal, async (teller) => {
    const work = async (options: CommonOptions): Promise<void> => {
      for await (const record of searchCapacity({
        ...options,
        scenario,
        ...(budget === undefined ? {} : { budgetMs: budget }),
      }))
        teller.emit(record);
    };
    await withLoad({ command: 'capacity', settings, contract, signal, teller, told: { scenario }, work });
  });
}

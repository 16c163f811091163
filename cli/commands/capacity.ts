import { parseStepThresholds, searchCapacity } from '../../load/index.ts';
import type { CommonOptions } from '../../load/index.ts';
import { duration } from '../../reports/index.ts';
import type { OptionOf } from '../catalogue.ts';
import { defined } from '../../spec/defined.ts';
import { connectionFrom, contractFor } from '../target/connection.ts';
import { fleetProblems } from '../fleet/problems.ts';
import { ignoredFlags } from '../load/ignored-flags.ts';
import { effectsOf, withLoad } from '../load/load-run.ts';
import { recordRun } from '../run/record-run.ts';
import { checkScenarios } from '../load/scenario-problems.ts';
import { sinksOf } from '../run/sinks.ts';
import { unlessInterrupted } from '../interrupt.ts';
import type { Invocation } from '../invocation.ts';
import { orProblem, refuse } from '../problems.ts';

/** A run that ends so much after its budget is worth a note. */
const LATE_MS = 2000;

/** Finds the highest offered rate that still meets the thresholds of a scenario. */
export async function capacity(invocation: Invocation<OptionOf<'capacity'>>): Promise<number> {
  const { settings, operands, problems, directory, signal } = invocation;
  const [scenario = ''] = operands;
  const sinks = await sinksOf(settings, directory, problems);
  await checkScenarios(operands, 'capacity', settings.fleet, problems);
  await orProblem('--threshold', problems, () => parseStepThresholds(settings.threshold));
  const connection = await connectionFrom(settings, directory, problems);
  problems.push(...fleetProblems(settings), ...(await ignoredFlags(invocation, operands)));
  refuse(problems);
  const contract = await unlessInterrupted(signal, async () => contractFor(settings, connection));
  return recordRun(sinks, signal, async (recorder) => {
    const work = async (options: CommonOptions): Promise<void> => {
      const began = performance.now();
      const search = searchCapacity({ ...options, scenario, ...defined({ budgetMs: settings.budget }) });
      for await (const record of search) recorder.emit(record);
      const overMs = performance.now() - began - (settings.budget ?? Infinity);
      if (overMs > LATE_MS)
        recorder.note(`The removal of created items ended ${duration(overMs)} after the end of --budget.`);
    };
    return withLoad({
      command: 'capacity',
      settings,
      connection,
      contract,
      signal,
      recorder,
      effects: await effectsOf([scenario]),
      details: { scenario },
      work,
    });
  });
}

import { DEFAULT_SCENARIO, findScenario, planOf, SCENARIOS } from '../../load/index.ts';
import type { PlanOptions, Threshold } from '../../load/index.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { orProblem } from '../problems.ts';
import type { Problem } from '../problems.ts';

/** Adds problems with the named scenarios: flows are code, which `capacity` and fleets cannot run. */
export async function checkScenarios(
  names: readonly string[],
  command: 'load' | 'capacity',
  fleet: string | undefined,
  problems: Problem[],
): Promise<void> {
  for (const name of names) {
    if (!Object.hasOwn(SCENARIOS, name) && !/[./\\]/u.test(name)) {
      const known = Object.keys(SCENARIOS);
      const all = `use one of ${known.join(', ')}, or a file with one of your own (./my-scenario.ts)`;
      problems.push({ subject: name, message: 'is not a scenario', hint: didYouMean(name, known) || all });
      continue;
    }
    const scenario = await orProblem(name, problems, () => findScenario(name));
    if (scenario?.flow === undefined) continue;
    if (fleet !== undefined)
      problems.push({
        subject: name,
        message: 'is a flow, and flows run on one machine only: agents receive data, not code',
        hint: 'omit --fleet, or use a scenario with fixed requests',
      });
    else if (command === 'capacity')
      problems.push({
        subject: name,
        message: 'is a flow, and capacity supports only fixed requests',
        hint: `increase its rate until a threshold is missed: assay load ${name} --stage 60s:500 --threshold 'p99<500' --abort-on-fail`,
      });
  }
}

/** Adds problems of options that do not fit together, or do not fit a scenario; `checkScenarios` tells of unknown scenarios. */
export async function checkPlans(
  names: readonly string[],
  options: PlanOptions,
  thresholds: readonly Threshold[] | undefined,
  problems: Problem[],
): Promise<void> {
  for (const name of names.length > 0 ? names : [DEFAULT_SCENARIO]) {
    const scenario = await findScenario(name).catch(() => undefined);
    if (scenario !== undefined) await orProblem(name, problems, () => planOf(scenario, options, thresholds));
  }
}

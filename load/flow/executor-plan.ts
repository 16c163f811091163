import { usageError } from '../../spec/index.ts';
import type { Segment } from '../engines/schedule.ts';
import { EXECUTORS, segmentsOf } from './executors.ts';
import type { ExecutorName, Users } from './executors.ts';
import type { FlowStage } from './types.ts';

/** Options for starting iterations, or fixed requests. */
export interface ExecutorSettings {
  readonly executor?: ExecutorName | undefined;
  readonly vus?: number | undefined;
  readonly iterations?: number | undefined;
  readonly stages?: readonly FlowStage[] | undefined;
}

/** The executor with its segments: requests or iterations per second, or virtual users. */
export interface ExecutorPlan {
  readonly executor: ExecutorName;
  readonly segments?: readonly Segment[];
  readonly users?: Users;
}

/** Default time limit of a fixed number of iterations, and default duration of other users. */
const ITERATIONS_MS = 10 * 60_000;
const USERS_MS = 30_000;

/** The settings of the options and of the scenario; the options take precedence. */
function merged(scenario: ExecutorSettings, options: ExecutorSettings): ExecutorSettings {
  const isReshaped = [options.vus, options.iterations, options.stages].some((one) => one !== undefined);
  return {
    executor: options.executor ?? (isReshaped ? undefined : scenario.executor),
    vus: options.vus ?? scenario.vus,
    iterations: options.iterations ?? (options.executor || !isReshaped ? scenario.iterations : undefined),
    stages: options.stages ?? (options.executor || !isReshaped ? scenario.stages : undefined),
  };
}

/** The executor: the named one, or the one that the settings imply. */
function executorFor({ executor, vus, iterations, stages }: ExecutorSettings): ExecutorName {
  if (executor !== undefined) return executor;
  if (stages !== undefined) return vus === undefined ? 'ramping-arrival-rate' : 'ramping-vus';
  if (iterations !== undefined) return 'per-vu-iterations';
  return vus === undefined ? 'constant-arrival-rate' : 'constant-vus';
}

/** Why settings do not fit an executor; undefined if they do. */
function problemOf(executor: ExecutorName, settings: ExecutorSettings, hasFlow: boolean): string | undefined {
  const { iterations, stages } = settings;
  if (!(executor in EXECUTORS)) return `there is no executor "${executor}"`;
  if (!hasFlow && EXECUTORS[executor].starts === 'users')
    return `${executor} needs a scenario with a flow: fixed requests have no virtual users`;
  if (executor.startsWith('ramping') && (stages ?? []).length === 0) return `${executor} needs stages`;
  if (executor.endsWith('iterations') && iterations === undefined) return `${executor} needs a number of iterations`;
  const wrong = Object.entries({ vus: settings.vus, iterations }).find(
    ([, value]) => value !== undefined && !(Number.isInteger(value) && value > 0),
  );
  if (wrong) return `${wrong[0]} must be a whole number above 0, not ${wrong[1]}`;
  const bad = stages?.find(({ durationMs, target }) => !(durationMs >= 0) || !(target >= 0));
  if (bad) return `a stage has the duration ${bad.durationMs} and the target ${bad.target}`;
  if (stages !== undefined && segmentsOf(stages).length === 0) return 'the stages have a total duration of zero';
  return undefined;
}

function usersOf(
  executor: ExecutorName,
  { vus = 1, iterations = 1, stages = [] }: ExecutorSettings,
  ms: number,
): Users {
  const isShared = executor === 'shared-iterations';
  const flat = [{ durationMs: ms, from: vus, to: vus }];
  return {
    segments: executor === 'ramping-vus' ? segmentsOf(stages) : flat,
    each: executor === 'per-vu-iterations' ? iterations : Infinity,
    all: isShared ? iterations : Infinity,
  };
}

/** The executor of a scenario. Throws an AssayError (exit code 2) for settings that do not fit together. */
export function executorPlan(
  scenario: ExecutorSettings | undefined,
  options: ExecutorSettings,
  durationMs: number | undefined,
): ExecutorPlan {
  const settings = merged(scenario ?? {}, options);
  const executor = executorFor(settings);
  const problem = problemOf(executor, settings, scenario !== undefined);
  if (problem !== undefined)
    throw usageError(
      `Invalid executor: ${problem}.`,
      `Executors: ${Object.keys(EXECUTORS).join(', ')}; stages as --stage 30s:200; see docs/load.md.`,
    );
  const { stages = [] } = settings;
  if (EXECUTORS[executor].starts === 'users') {
    const most = durationMs ?? (executor.endsWith('iterations') ? ITERATIONS_MS : USERS_MS);
    return { executor, users: usersOf(executor, settings, most) };
  }
  return executor === 'ramping-arrival-rate' ? { executor, segments: segmentsOf(stages) } : { executor };
}

import { usageError } from '../spec/index.ts';
import type { ExecutorPlan } from './flow/executor-plan.ts';
import { EXECUTORS } from './flow/executors.ts';
import type { PlanOptions } from './options.ts';

/** An option that a run would ignore, for example `with --engine closed`. */
type Row = readonly [option: string, isIgnored: boolean, why: string, hint: string];

/** The closed engine has no schedule. */
function ignoredByClosed({ model, rate, stages, arrivals, profile, throughputMs }: Given): readonly Row[] {
  if (model !== 'closed') return [];
  const why = 'with --engine closed';
  const omit = 'Omit it, or omit --engine.';
  return [
    ['--rate', rate !== undefined, why, 'Limit the rate with --max-rate, or omit --engine.'],
    ['--stage', stages !== undefined, why, omit],
    [`--profile ${profile}`, isShaped(profile), why, omit],
    ['--arrivals', arrivals !== undefined, why, omit],
    ['--throughput', throughputMs > 0, why, omit],
  ];
}

/** Stages set the rate and the duration, or the number of virtual users and the duration. */
function ignoredByStages({ executor }: ExecutorPlan, options: PlanOptions): readonly Row[] {
  const { stages, durationMs, profile } = options;
  const ramp = 'Omit --stage, or use --executor ramping-arrival-rate or ramping-vus.';
  if (!executor.startsWith('ramping')) return [['--stage', stages !== undefined, `with ${executor}`, ramp]];
  const times = 'Omit --duration, or change the times of --stage; --max-duration limits the whole run.';
  return [
    ['--duration', durationMs !== undefined, 'with stages, which set the duration', times],
    ['--profile', profile !== undefined, 'with stages, which set the shape of the load', 'Omit --profile or --stage.'],
  ];
}

const OMIT_RATE =
  'Omit --rate; --max-rate limits the requests per second, and --executor constant-arrival-rate starts iterations at a rate.';
const BY_USERS = 'The responses determine the rate; --executor constant-arrival-rate starts iterations at a rate.';
const OMIT_ITERATIONS = 'Omit --iterations, or use --executor per-vu-iterations or shared-iterations.';
const OTHER_ENGINE =
  'Use --executor constant-vus, where each virtual user waits for its responses, or constant-arrival-rate.';

function ignoredByFlow({ executor, users, segments }: ExecutorPlan, given: Given, hasFlow: boolean): readonly Row[] {
  const { model, rate, arrivals, profile, vus, iterations, throughputMs } = given;
  const [hasUsers, byUsers, byExecutor] = [users !== undefined, `with virtual users (${executor})`, `with ${executor}`];
  const startsAtRate = EXECUTORS[executor].starts === 'arrivals';
  const isIgnoredEngine = hasFlow && (model === 'closed' || (hasUsers && model !== undefined));
  const ofStages = 'Omit --rate, or change the targets of --stage.';
  const unmeasured = 'with a flow, whose throughput is not measured first';
  return [
    ['--rate', rate !== undefined && hasUsers, byUsers, OMIT_RATE],
    ['--rate', rate !== undefined && segments !== undefined, 'with stages, which set the rate', ofStages],
    [`--profile ${profile}`, hasUsers && isShaped(profile), byUsers, BY_USERS],
    ['--arrivals', hasUsers && arrivals !== undefined, byUsers, BY_USERS],
    [
      '--vus',
      startsAtRate && vus !== undefined,
      byExecutor,
      'Omit --vus: as many virtual users run as the rate needs.',
    ],
    ['--iterations', !executor.endsWith('iterations') && iterations !== undefined, byExecutor, OMIT_ITERATIONS],
    ['--throughput', hasFlow && throughputMs > 0, unmeasured, 'Omit --throughput.'],
    ['--engine', isIgnoredEngine, 'with a flow', OTHER_ENGINE],
  ];
}

type Given = PlanOptions & Required<Pick<PlanOptions, 'profile' | 'throughputMs'>>;

const isShaped = (profile: Given['profile']): boolean => profile !== 'steady' && profile !== 'soak';

/** Refuses options that a run would ignore (exit code 2). */
export function refuseIgnored(plan: ExecutorPlan, options: PlanOptions, hasFlow: boolean): void {
  const given = { ...options, profile: options.profile ?? 'steady', throughputMs: options.throughputMs ?? 0 };
  const all = [...ignoredByFlow(plan, given, hasFlow), ...ignoredByStages(plan, options), ...ignoredByClosed(given)];
  const first = all.find(([, isIgnored]) => isIgnored);
  if (first === undefined) return;
  const [option, , why, hint] = first;
  throw usageError(`${option} has no effect ${why}.`, hint);
}

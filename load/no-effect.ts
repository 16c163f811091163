import { AssayError, EXIT } from '../spec/index.ts';
import type { ExecutorPlan } from './flow/executor-plan.ts';
import { EXECUTORS } from './flow/executors.ts';
import type { PlanOptions } from './options.ts';

/** An option that a run would ignore. */
interface Ignored {
  readonly option: string;
  readonly isIgnored: boolean;
  /** For example `with --engine closed`. */
  readonly why: string;
  readonly hint: string;
}

const CLOSED = 'with --engine closed';

/** The closed engine has no schedule. */
function ignoredByClosed({ profile = 'steady', throughputMs = 0, ...options }: PlanOptions): readonly Ignored[] {
  if (options.model !== 'closed') return [];
  const omit = 'Omit it, or omit --engine.';
  const has = (option: string, isIgnored: boolean, hint = omit): Ignored => ({ option, isIgnored, why: CLOSED, hint });
  return [
    has('--rate', options.rate !== undefined, 'Limit the rate with --max-rate, or omit --engine.'),
    has('--stage', options.stages !== undefined),
    has(`--profile ${profile}`, profile !== 'steady' && profile !== 'soak'),
    has('--arrivals', options.arrivals !== undefined),
    has('--throughput', throughputMs > 0),
  ];
}

/** Stages set the rate and the duration, or the number of virtual users and the duration. */
function ignoredByStages({ executor }: ExecutorPlan, options: PlanOptions): readonly Ignored[] {
  if (!executor.startsWith('ramping')) {
    const hint = 'Omit --stage, or use --executor ramping-arrival-rate or ramping-vus.';
    return [{ option: '--stage', isIgnored: options.stages !== undefined, why: `with ${executor}`, hint }];
  }
  return [
    {
      option: '--duration',
      isIgnored: options.durationMs !== undefined,
      why: 'with stages, which set the duration',
      hint: 'Omit --duration, or change the times of --stage; --max-duration limits the whole run.',
    },
    {
      option: '--profile',
      isIgnored: options.profile !== undefined,
      why: 'with stages, which set the shape of the load',
      hint: 'Omit --profile or --stage.',
    },
  ];
}

/** Of a flow and of its virtual users. */
function ignoredByFlow(
  { executor, users, segments }: ExecutorPlan,
  { profile = 'steady', throughputMs = 0, ...options }: PlanOptions,
  hasFlow: boolean,
): readonly Ignored[] {
  const why = `with virtual users (${executor})`;
  const byUsers = 'The responses determine the rate; --executor constant-arrival-rate starts iterations at a rate.';
  const isArrivals = EXECUTORS[executor].starts === 'arrivals';
  return [
    {
      option: '--rate',
      isIgnored: options.rate !== undefined && users !== undefined,
      why,
      hint: 'Omit --rate; --max-rate limits the requests per second, and --executor constant-arrival-rate starts iterations at a rate.',
    },
    {
      option: '--rate',
      isIgnored: options.rate !== undefined && segments !== undefined,
      why: 'with stages, which set the rate',
      hint: 'Omit --rate, or change the targets of --stage.',
    },
    {
      option: `--profile ${profile}`,
      isIgnored: users !== undefined && profile !== 'steady' && profile !== 'soak',
      why,
      hint: byUsers,
    },
    { option: '--arrivals', isIgnored: users !== undefined && options.arrivals !== undefined, why, hint: byUsers },
    {
      option: '--vus',
      isIgnored: isArrivals && options.vus !== undefined,
      why: `with ${executor}`,
      hint: 'Omit --vus: as many virtual users run as the rate needs.',
    },
    {
      option: '--iterations',
      isIgnored: !executor.endsWith('iterations') && options.iterations !== undefined,
      why: `with ${executor}`,
      hint: 'Omit --iterations, or use --executor per-vu-iterations or shared-iterations.',
    },
    {
      option: '--throughput',
      isIgnored: hasFlow && throughputMs > 0,
      why: 'with a flow, whose throughput is not measured first',
      hint: 'Omit --throughput.',
    },
    {
      option: '--engine',
      isIgnored: hasFlow && (options.model === 'closed' || (users !== undefined && options.model !== undefined)),
      why: 'with a flow',
      hint: 'Use --executor constant-vus, where each virtual user waits for its responses, or constant-arrival-rate.',
    },
  ];
}

/** Refuses options that a run would ignore (exit code 2). */
export function refuseIgnored(plan: ExecutorPlan, options: PlanOptions, hasFlow: boolean): void {
  const all = [
    ...ignoredByFlow(plan, options, hasFlow),
    ...ignoredByStages(plan, options),
    ...ignoredByClosed(options),
  ];
  const first = all.find(({ isIgnored }) => isIgnored);
  if (first === undefined) return;
  const { option, why, hint } = first;
  throw new AssayError(`${option} has no effect ${why}.`, { hint, exitCode: EXIT.usage });
}

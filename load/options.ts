import type { Journal, Send } from '../client/index.ts';
import type { Fixtures } from '../domain/index.ts';
import type { Contract, Effect, MeasuredSlice } from '../spec/index.ts';
import type { LoadModel } from './engines/messages.ts';
import type { Schedule } from './engines/schedule.ts';
import type { ExecutorSettings } from './flow/executor-plan.ts';
import type { Judge } from './judging.ts';
import type { LiveSlice } from './live.ts';
import type { ProfileName } from './profiles.ts';
import type { Scenario } from './scenarios/index.ts';
import type { Senders } from './senders.ts';
import type { LoadTarget } from './target.ts';

/** Options of load and capacity runs. */
export interface CommonOptions {
  readonly target: LoadTarget;
  readonly contract: Contract;
  /** Sends the requests of setup, audit and teardown. */
  readonly send: Send;
  readonly journal: Journal;
  readonly allow: readonly Effect[];
  /** Values that the tenant validates, such as its organization. */
  readonly fixtures?: Fixtures;
  /** Initial number of connections (50). The open model opens more when all are busy. */
  readonly connections?: number;
  /** Maximum number of connections (`connections` if given, else 200). */
  readonly maxConnections?: number;
  /** Worker threads (1). */
  readonly workers?: number;
  /** Time limit per request in milliseconds (10,000). */
  readonly timeoutMs?: number;
  /** Replace the thresholds of the scenario; for example `p99<200`. */
  readonly thresholds?: readonly string[];
  readonly judge?: Judge;
  /** Responses checked per second (40). */
  readonly samplesPerSecond?: number;
  /** Maximum requests per second. */
  readonly maxRate?: number;
  /** Maximum duration of a scenario, including the throughput phase. */
  readonly maxDurationMs?: number;
  readonly seed?: number;
  /** Letters and digits, part of every created name; default: random. */
  readonly runId?: string;
  /** Bytes per body (1,024). */
  readonly bodyBytes?: number;
  /** Items that paging scenarios create (200). */
  readonly items?: number;
  /** How long a change may take to become visible, in milliseconds (1,000). */
  readonly settleMs?: number;
  /** Other machines that send. Default: this one. */
  readonly senders?: Senders;
  readonly signal?: AbortSignal;
  /** Called four times per second. */
  readonly onLive?: (state: LiveSlice) => void;
  /** Called before created items are removed, which may take long. */
  readonly onRemoving?: () => void;
}

export interface LoadOptions extends CommonOptions, ExecutorSettings {
  /** Names, file paths or scenarios; none: the default mix. */
  readonly scenarios: readonly (string | Scenario)[];
  /** Default `open`. */
  readonly model?: LoadModel;
  readonly profile?: ProfileName;
  /** Highest rate of the profile. Default: half of the measured throughput, else the rate of the scenario. */
  readonly rate?: number;
  readonly durationMs?: number;
  /** Excluded from the figures that thresholds are evaluated on. Default: a fifth of the duration, at most 2 s; 0 for a fixed number of iterations. */
  readonly warmupMs?: number;
  /**
   * Length of the throughput phase (closed model, autocannon) before the open model; 0: none. Default: a fifth of the
   * duration, 1.5 to 5 s; none with `rate`, with the profile `smoke`, and if the scenario turns it off.
   */
  readonly throughputMs?: number;
  readonly arrivals?: Schedule['arrivals'];
  /** Address of the target's process metrics, for the profile `soak`; default: `/metrics` of its origin. */
  readonly targetMetrics?: string;
  /** Stop the run when a threshold is missed in three seconds in a row. */
  readonly abortOnFail?: boolean;
  /** Called four times per second with counts, for metrics. */
  readonly onMeasured?: (slice: MeasuredSlice) => void;
}

/** The options that the plan of a scenario depends on. */
export type PlanOptions = Omit<LoadOptions, keyof CommonOptions | 'scenarios'> &
  Pick<CommonOptions, 'maxRate' | 'maxDurationMs'>;

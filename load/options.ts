import type { Journal, Send } from '../client/index.ts';
import type { Contract, Effect } from '../spec/index.ts';
import type { Model } from './engines/messages.ts';
import type { Schedule } from './engines/schedule.ts';
import type { Judge } from './judging.ts';
import type { LiveState } from './live.ts';
import type { ProfileName } from './profiles.ts';
import type { Scenario } from './scenarios/index.ts';
import type { LoadTarget } from './target.ts';

/** What load and capacity runs have in common. */
export interface CommonOptions {
  readonly target: LoadTarget;
  readonly contract: Contract;
  /** Sends the requests of setup, audit and teardown. */
  readonly send: Send;
  readonly journal: Journal;
  readonly allow: readonly Effect[];
  /** Connections at the start (50); the open model opens more where all are busy. */
  readonly connections?: number;
  /** Most connections (4 times those at the start where none are given, else just those). */
  readonly maxConnections?: number;
  /** Threads of ours (1). */
  readonly workers?: number;
  /** Longest time from sending to the end of the answer (10,000). */
  readonly timeoutMs?: number;
  /** Instead of the scenario's, for example `p99<200`. */
  readonly thresholds?: readonly string[];
  readonly judge?: Judge;
  /** Answers judged a second, spread over time (40). */
  readonly samplesPerSecond?: number;
  /** Requests a second never to be exceeded. */
  readonly maxRate?: number;
  /** Of the whole measurement; it ends then, whatever is under way. */
  readonly maxDurationMs?: number;
  readonly seed?: number;
  /** Letters and digits, part of every name that is made; made up where left out. */
  readonly runId?: string;
  /** Bytes a body (1,024). */
  readonly bodyBytes?: number;
  /** Items that paging scenarios make (200). */
  readonly items?: number;
  /** How long a change may take to show in an audit (1,000). */
  readonly settleMs?: number;
  readonly signal?: AbortSignal;
  /** Four times a second, for a live line. */
  readonly onLive?: (state: LiveState) => void;
}

export interface LoadOptions extends CommonOptions {
  /** Names, paths of files, or scenarios themselves; none: the default mix. */
  readonly scenarios: readonly (string | Scenario)[];
  /** `open` where left out. */
  readonly model?: Model;
  readonly profile?: ProfileName;
  /** The highest rate of the profile. Left out: half of the measured throughput, else the scenario's. */
  readonly rate?: number;
  readonly durationMs?: number;
  /** Left out of the results that thresholds are judged on; a fifth of the time, at most 2 s, where left out. */
  readonly warmupMs?: number;
  /**
   * Length of the throughput phase (closed model, autocannon) before the open model; 0: none. Left out: a fifth of the
   * duration, 1.5 to 5 s; none where `rate` is given, in the profile `smoke`, and where the scenario does without.
   */
  readonly throughputMs?: number;
  /** Judge thresholds on the whole run, warm-up and all. */
  readonly whole?: boolean;
  readonly arrivals?: Schedule['arrivals'];
  /** Share of failures that stops a run when it lasts for three seconds (0.5). */
  readonly stormShare?: number;
}

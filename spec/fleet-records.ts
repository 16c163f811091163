import type { Latency } from './load-records.ts';

/** What became of the planned requests of a fleet. */
export interface RequestTally {
  readonly planned: number;
  readonly answered: number;
  /** Excludes requests that were never sent. */
  readonly failed: number;
  /** Not sent because no connection became free in time. */
  readonly unsent: number;
  /** Answered with 401 because the token had expired. */
  readonly refused: number;
  /** Not sent because the agent could no longer be sure that it owned the lane. */
  readonly withheld: number;
  /** Not reported, because the agent was lost; they may have been sent. */
  readonly unknown: number;
}

/** A time in which part of the load was not sent. */
export interface FleetGap {
  readonly agent: string;
  readonly zone: string;
  readonly lanes: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly withheld: number;
  readonly unknownAtMost: number;
}

/** How a fleet sent a scenario. */
export interface FleetFigures {
  readonly run: string;
  /** Number of agents that took part. */
  readonly agents: number;
  /** Names of the agents that were lost. */
  readonly lost: readonly string[];
  readonly lanes: number;
  readonly requests: RequestTally;
  /** Every planned request is accounted for, and none was sent twice. */
  readonly balanced: boolean;
  readonly gaps: readonly FleetGap[];
  /** Share of the planned requests after the warm-up that were sent, 0 to 1. */
  readonly sentShare: number;
  /** Share of the time after the warm-up with a gap, 0 to 1. */
  readonly gapShare: number;
  /** The clocks of all agents are within this time of the broker's clock. */
  readonly boundMs: number;
  readonly zones: readonly { readonly zone: string; readonly answered: number; readonly latencyMs: Latency }[];
  /** The agent with the largest mean lag. */
  readonly slowest?: { readonly agent: string; readonly lagMs: number };
}

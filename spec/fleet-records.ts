import type { Latency } from './load-records.ts';

/** What became of the planned requests of a fleet. */
export interface RequestTally {
  readonly planned: number;
  readonly answered: number;
  readonly failed: number;
  /** No connection became free in time. */
  readonly unsent: number;
  /** Answered with 401 because the token had ended. */
  readonly refused: number;
  /** Not sent, because the agent could not be sure that no other would. */
  readonly withheld: number;
  /** Neither reported nor withheld: of agents that were lost. */
  readonly unknown: number;
}

/** A time in which a part of the load was not sent. */
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
  /** Agents that took part, and those of them that were lost. */
  readonly agents: number;
  readonly lost: readonly string[];
  readonly lanes: number;
  readonly requests: RequestTally;
  /** Every planned request is accounted for, and none was given out twice. */
  readonly balanced: boolean;
  readonly gaps: readonly FleetGap[];
  /** Share of the planned requests after the warm-up that were sent, 0 to 1. */
  readonly sentShare: number;
  /** Share of the time after the warm-up with a gap, 0 to 1. */
  readonly gapShare: number;
  /** The clocks of the agents differ from the broker's by no more. */
  readonly boundMs: number;
  readonly zones: readonly { readonly zone: string; readonly answered: number; readonly latencyMs: Latency }[];
  /** The agent with the largest mean lag. */
  readonly slowest?: { readonly agent: string; readonly lagMs: number };
}

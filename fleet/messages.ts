import { Ajv } from 'ajv';
import type { Effect } from '../spec/index.ts';

/** Part of every queue's name: agents of another protocol never see a run. */
export const PROTOCOL = 1;

/** Commands that run on a fleet. */
export type FleetCommand = 'load' | 'capacity' | 'verify';

/** What an agent must match to take part; told each second while the fleet gathers. */
export interface Call {
  readonly run: string;
  /** By the broker's clock, as all times of messages. */
  readonly sentAt: number;
  readonly version: string;
  /** Of the engine and the description. */
  readonly engineHash: string;
  readonly command: FleetCommand;
  readonly target: string;
  readonly effects: readonly Effect[];
  /** Requests per second of one agent; 0: not known yet. */
  readonly ratePerAgent: number;
  readonly lockMs: number;
  /** Zones that have lanes of their own; empty: all agents share them. */
  readonly zones: readonly string[];
}

/** An agent's answer to a call. */
export interface Hello {
  readonly kind: 'hello';
  readonly run: string;
  readonly agent: string;
  readonly zone: string;
  readonly version: string;
  readonly node: string;
  readonly cores: number;
  /** Requests per second that it reaches against a stub. */
  readonly ownRate: number;
  readonly boundMs: number;
  readonly rttMs: number;
  /** Why it does not take part. */
  readonly refusal?: { readonly reason: string; readonly hint: string };
}

/** One share of a trial. No token and no header: requests are encoded where they are sent. */
export interface LaneTask {
  readonly run: string;
  readonly trial: number;
  readonly lane: number;
  /** Where the requests are: `id:parts`. */
  readonly requests: string;
  /** Highest rate of the share, in requests per second. */
  readonly peakRate: number;
  /** What the engine needs; the fleet does not look into it. */
  readonly job: unknown;
  /** Its owner begins at this time of the schedule: what was due before belongs to an earlier one. */
  readonly fromMs?: number;
  /** How often the task had been lost when `fromMs` was written; if more often now, `fromMs` is out of date. */
  readonly lostBefore?: number;
}

export type RunState = 'gather' | 'prepare' | 'run' | 'abort' | 'end';

/** What the controller tells all agents, several times per second. */
export interface Tick {
  readonly run: string;
  /** Grows from tick to tick. */
  readonly sentAt: number;
  readonly state: RunState;
  readonly trial: number;
  /** When the trial starts. */
  readonly t0?: number;
  /** Lanes that wait for an owner, and how many one agent may own until all have one. */
  readonly free: number;
  readonly each: number;
  /** How many one agent may own when others are lost. */
  readonly most: number;
  /** The worst clock bound of all agents, in milliseconds. */
  readonly boundMs: number;
  /** Reports from before this moment are on the controller's disk, except those of the agents in `committed`. */
  readonly committedAt: number;
  /** The last report of an agent up to which all are on the controller's disk. */
  readonly committed: Readonly<Record<string, number>>;
}

/** Counts of one owner of a lane in one slice of time. */
export interface LaneSlice {
  readonly trial: number;
  readonly lane: number;
  /** Tells the owners of a lane apart. */
  readonly attempt: string;
  readonly index: number;
  /** Ordinals given out: those from `from` up to, without it, `to`. */
  readonly from: number;
  readonly to: number;
  /** The ordinal after the last that was not withheld. */
  readonly sentTo: number;
  readonly answered: number;
  /** Without those that were never sent. */
  readonly failed: number;
  readonly unsent: number;
  readonly refused: number;
  readonly withheld: number;
  readonly spanMs: number;
  /** The engine's figures; the fleet does not look into them. */
  readonly figures: unknown;
}

export interface LaneEvent {
  readonly type: 'ready' | 'done' | 'released' | 'lost';
  readonly trial: number;
  readonly lane: number;
  readonly attempt: string;
  /** Connections, of `ready`. */
  readonly connected?: number;
}

/** A result of checks, redacted; of verify, a share's log. */
export interface LaneResult {
  readonly trial: number;
  readonly value: unknown;
}

export interface Report {
  readonly kind: 'report';
  readonly run: string;
  readonly agent: string;
  /** From 1, without gaps. */
  readonly seq: number;
  readonly sentAt: number;
  readonly boundMs: number;
  /** The longest that a tick took since the last report. */
  readonly tickDelayMs: number;
  readonly slices: readonly LaneSlice[];
  readonly events: readonly LaneEvent[];
  /** The agent leaves, and says no more. */
  readonly leaving?: boolean;
  readonly results?: readonly LaneResult[];
  /** Why the agent cannot go on. */
  readonly failure?: { readonly message: string; readonly hint: string; readonly exitCode: number };
}

type FromAgent = Hello | Report;

const number = { type: 'number' };
const string = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

function shapeOf(required: object, optional: object = {}): object {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

const listOf = (items: object): object => ({ type: 'array', items });
const attempt = { trial: count, lane: count, attempt: string };
const counts = {
  from: count,
  to: count,
  sentTo: count,
  answered: count,
  failed: count,
  unsent: count,
  refused: count,
  withheld: count,
};

const SHAPES = {
  call: shapeOf({
    run: string,
    sentAt: number,
    version: string,
    engineHash: string,
    command: { enum: ['load', 'capacity', 'verify'] },
    target: string,
    effects: listOf(string),
    ratePerAgent: number,
    lockMs: number,
    zones: listOf(string),
  }),
  hello: shapeOf(
    {
      kind: { const: 'hello' },
      run: string,
      agent: string,
      zone: string,
      version: string,
      ownRate: number,
      boundMs: number,
    },
    { refusal: shapeOf({ reason: string, hint: string }) },
  ),
  lane: shapeOf({ run: string, trial: count, lane: count, requests: string, peakRate: number, job: {} }),
  tick: shapeOf({
    run: string,
    sentAt: number,
    state: { enum: ['gather', 'prepare', 'run', 'abort', 'end'] },
    trial: count,
    free: count,
    each: count,
    most: count,
    boundMs: number,
    committedAt: number,
    committed: { type: 'object' },
  }),
  report: shapeOf(
    {
      kind: { const: 'report' },
      run: string,
      agent: string,
      seq: count,
      sentAt: number,
      boundMs: number,
      tickDelayMs: number,
      slices: listOf(shapeOf({ ...attempt, ...counts, index: { type: 'integer' }, spanMs: number })),
      events: listOf(shapeOf({ ...attempt, type: { enum: ['ready', 'done', 'released', 'lost'] } })),
    },
    { results: listOf(shapeOf({ trial: count, value: {} })) },
  ),
};

const ajv = new Ajv({ strict: false });

/** A check that a value that came from the broker has the shape of a message. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Ajv cannot derive the type from the shape
function checked<Message>(shape: object): (value: unknown) => Message | undefined {
  const validate = ajv.compile<Message>(shape);
  return (value) => (validate(value) ? value : undefined);
}

export const asCall = checked<Call>(SHAPES.call);
export const asLane = checked<LaneTask>(SHAPES.lane);
export const asTick = checked<Tick>(SHAPES.tick);
export const fromAgent = checked<FromAgent>({ anyOf: [SHAPES.hello, SHAPES.report] });

/** Names of the queues and topics of a run. */
export const NAMES = {
  lobby: `lobby-${PROTOCOL}`,
  ticks: (run: string): string => `ctl-${PROTOCOL}-${run}`,
  lanes: (run: string, zone: string): string => `lanes-${PROTOCOL}-${run}${zone === '' ? '' : `-${zone}`}`,
  reports: (run: string): string => `slices-${PROTOCOL}-${run}`,
  requests: (run: string): string => `requests-${PROTOCOL}-${run}`,
  /** Where a run is asked to stop. */
  stop: (run: string): string => `stop-${PROTOCOL}-${run}`,
} as const;

/** All queues and topics of a run. */
export function namesOf(run: string, zones: readonly string[]): readonly string[] {
  const { ticks, reports, requests, stop, lanes } = NAMES;
  return [...[ticks, reports, requests, stop].map((name) => name(run)), ...zones.map((zone) => lanes(run, zone))];
}

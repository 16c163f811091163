import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import type { Effect, RequestTally } from '../spec/index.ts';

/** Version of the message format. It is part of every queue name, so agents of another version never see a run. */
export const PROTOCOL = 2;

export type FleetCommand = 'load' | 'capacity' | 'verify';

/** What an agent must match to take part in a run; published every second until the run ends. */
export interface Announcement {
  readonly run: string;
  /** Broker time in milliseconds since the epoch, like all times in messages. */
  readonly sentAt: number;
  readonly version: string;
  /** Hash of the build and the API description. */
  readonly engineHash: string;
  readonly command: FleetCommand;
  readonly target: string;
  readonly effects: readonly Effect[];
  /** Planned requests per second of one agent; 0 if not known yet. */
  readonly ratePerAgent: number;
  readonly lockMs: number;
  /** Zones with lanes of their own; empty if all agents share the lanes. */
  readonly zones: readonly string[];
}

/** An agent's reply to an announcement. */
export interface Hello {
  readonly kind: 'hello';
  readonly run: string;
  readonly agent: string;
  readonly zone: string;
  readonly version: string;
  /** Requests per second that the agent reached against a stub server; 0 if not measured. */
  readonly ownRate: number;
  readonly boundMs: number;
  /** Set if the agent does not take part. */
  readonly refusal?: { readonly reason: string; readonly hint: string };
}

/** One lane, a share of a trial. It holds no token and no header: the agent adds them when it sends. */
export interface LaneTask {
  readonly run: string;
  readonly trial: number;
  readonly lane: number;
  /** Reference to the stored requests: `hash:parts`. */
  readonly requests: string;
  /** Highest rate of the lane, in requests per second. */
  readonly peakRate: number;
  /** Input of the engine; opaque to the fleet. */
  readonly job: unknown;
  /** Where in the schedule the owner starts, in milliseconds; earlier requests belong to the previous owner. */
  readonly fromMs?: number;
  /** The loss count of the task when `fromMs` was written; if it has grown since, `fromMs` is out of date. */
  readonly lostBefore?: number;
  /** How often an engine has ended before it finished the lane. */
  readonly crashes?: number;
}

export type RunState = 'gather' | 'prepare' | 'run' | 'abort' | 'end';

/** State of the run, sent by the controller to all agents several times per second. */
export interface Tick {
  readonly run: string;
  /** Strictly increasing. */
  readonly sentAt: number;
  readonly state: RunState;
  readonly trial: number;
  /** Start of the trial. */
  readonly t0?: number;
  /** Lanes without an owner. */
  readonly free: number;
  /** How many lanes one agent may own before the trial starts. */
  readonly each: number;
  /** How many lanes one agent may own once the trial runs, when it takes over lanes of lost agents. */
  readonly most: number;
  /** The largest clock error bound of all agents, in milliseconds. */
  readonly boundMs: number;
  /** Reports sent up to this time are on the controller's disk, except those of agents listed in `committed`. */
  readonly committedAt: number;
  /** By agent: all reports up to this sequence number are on the controller's disk. */
  readonly committed: Readonly<Record<string, number>>;
}

/** Counts of one attempt at a lane in one slice of time. */
export interface LaneSlice extends Omit<RequestTally, 'planned' | 'unknown'> {
  readonly trial: number;
  readonly lane: number;
  /** Identifies one ownership of the lane. */
  readonly attempt: string;
  readonly index: number;
  /** Ordinals of the requests that fell due: [from, to). */
  readonly from: number;
  readonly to: number;
  /** The ordinal after the last request that was not withheld. */
  readonly sentTo: number;
  readonly spanMs: number;
  /** Measurements of the engine; opaque to the fleet. */
  readonly figures: unknown;
}

export interface LaneEvent {
  readonly type: 'ready' | 'done' | 'released' | 'lost';
  readonly trial: number;
  readonly lane: number;
  readonly attempt: string;
  /** Open connections; only in `ready`. */
  readonly connected?: number;
}

/** Result of checks, redacted; for verify, a part of a share's log. */
export interface LaneResult {
  readonly trial: number;
  readonly value: unknown;
}

export interface Report {
  readonly kind: 'report';
  readonly run: string;
  readonly agent: string;
  /** Starts at 1, without gaps. */
  readonly seq: number;
  readonly sentAt: number;
  readonly boundMs: number;
  /** The longest delivery time of a tick since the last report. */
  readonly tickDelayMs: number;
  readonly slices: readonly LaneSlice[];
  readonly events: readonly LaneEvent[];
  /** The agent leaves the run; this is its last report. */
  readonly leaving?: boolean;
  readonly results?: readonly LaneResult[];
  /** Set if the agent cannot continue. */
  readonly failure?: { readonly message: string; readonly hint: string; readonly exitCode: number };
}

type AgentMessage = Hello | Report;

const number = { type: 'number' };
const string = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

function objectSchema(required: object, optional: object = {}): object {
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

const SCHEMAS = {
  announcement: objectSchema({
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
  hello: objectSchema(
    {
      kind: { const: 'hello' },
      run: string,
      agent: string,
      zone: string,
      version: string,
      ownRate: number,
      boundMs: number,
    },
    { refusal: objectSchema({ reason: string, hint: string }) },
  ),
  lane: objectSchema({ run: string, trial: count, lane: count, requests: string, peakRate: number, job: {} }),
  tick: objectSchema({
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
  report: objectSchema(
    {
      kind: { const: 'report' },
      run: string,
      agent: string,
      seq: count,
      sentAt: number,
      boundMs: number,
      tickDelayMs: number,
      slices: listOf(objectSchema({ ...attempt, ...counts, index: { type: 'integer' }, spanMs: number })),
      events: listOf(objectSchema({ ...attempt, type: { enum: ['ready', 'done', 'released', 'lost'] } })),
    },
    { results: listOf(objectSchema({ trial: count, value: {} })) },
  ),
};

const ajv = new Ajv({ strict: false, validateSchema: false, discriminator: true });

/** Returns a function that accepts a value from the broker only if it matches the schema, which is compiled when it is first needed. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Ajv cannot derive the type from the schema
function parser<Message>(schema: object): (value: unknown) => Message | undefined {
  let validate: ValidateFunction<Message> | undefined;
  return (value) => {
    validate ??= ajv.compile<Message>(schema);
    return validate(value) ? value : undefined;
  };
}

export const asAnnouncement = parser<Announcement>(SCHEMAS.announcement);
export const asLane = parser<LaneTask>(SCHEMAS.lane);
export const asTick = parser<Tick>(SCHEMAS.tick);
export const asAgentMessage = parser<AgentMessage>({
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [SCHEMAS.hello, SCHEMAS.report],
});

/** Names of the queues and topics of a run. */
export const NAMES = {
  lobby: `lobby-${PROTOCOL}`,
  ticks: (run: string): string => `ctl-${PROTOCOL}-${run}`,
  lanes: (run: string, zone: string): string => `lanes-${PROTOCOL}-${run}${zone === '' ? '' : `-${zone}`}`,
  reports: (run: string): string => `slices-${PROTOCOL}-${run}`,
  requests: (run: string): string => `requests-${PROTOCOL}-${run}`,
  stop: (run: string): string => `stop-${PROTOCOL}-${run}`,
} as const;

/** All queues and topics of a run. */
export function namesOf(run: string, zones: readonly string[]): readonly string[] {
  const { ticks, reports, requests, stop, lanes } = NAMES;
  return [...[ticks, reports, requests, stop].map((name) => name(run)), ...zones.map((zone) => lanes(run, zone))];
}

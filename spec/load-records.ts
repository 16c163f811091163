import type { Finding } from './finding.ts';
import type { FleetFigures } from './fleet-records.ts';

/** Latencies in milliseconds, from a histogram in microseconds. */
export interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p99_9: number;
  readonly max: number;
}

/** One second of a load scenario. */
export interface TickRecord {
  readonly type: 'tick';
  readonly scenario: string;
  /** Seconds since the scenario began. */
  readonly second: number;
  readonly offeredRate: number;
  /** What is offered; default: requests. */
  readonly offers?: 'iterations';
  /** Accepted responses per second. */
  readonly rate: number;
  readonly errors: number;
  readonly inFlight: number;
  readonly latencyMs: Latency;
  /** By part and operation. Absent in older logs. */
  readonly parts?: readonly TickPart[];
}

/** A load scenario at one moment, for live output; latencies in milliseconds. */
export interface LiveFigures
  extends Pick<TickRecord, 'scenario' | 'offers' | 'rate' | 'errors' | 'inFlight'>, Pick<Latency, 'p50' | 'p99'> {
  /** 0 in the closed model; undefined once the load is over. */
  readonly offeredRate: number | undefined;
  /** The thresholds that the run is judged by. */
  readonly thresholds?: readonly string[];
  /** The steps so far of a search for the capacity, which has no ticks. */
  readonly steps?: CapacityRecord['steps'];
}

/** One second of one part and operation. */
export interface TickPart extends Omit<LoadFigures, 'rate'> {
  readonly part: string;
  readonly operation: string;
}

/** Counts of a quarter of a second of load; their sums over a run equal its figures. */
export interface MeasuredSlice {
  readonly scenario: string;
  /** Thresholds judge `steady`. */
  readonly phase: 'throughput' | 'warmup' | 'steady';
  readonly offeredRate: number;
  readonly inFlight: number;
  readonly connections: number;
  readonly parts: readonly {
    readonly part: string;
    readonly operation: string;
    readonly statuses: readonly (readonly [status: number, count: number])[];
    readonly errors: readonly (readonly [kind: string, count: number])[];
    /** Pairs of microseconds and count. */
    readonly latencies: Float64Array;
  }[];
  readonly flow: readonly {
    readonly completed: number;
    readonly failed: number;
    readonly dropped: number;
    readonly running: number;
    readonly checks: readonly (readonly [name: string, passed: number, failed: number])[];
  }[];
}

/** Totals of the requests of one period, or of one part of the traffic. */
export interface LoadFigures {
  readonly requests: number;
  /** Accepted answers per second. */
  readonly rate: number;
  /** Accepted statuses. Absent in older logs. */
  readonly statuses?: Readonly<Record<string, number>>;
  /** Statuses that were not accepted, and kinds of failure such as `timeout`. */
  readonly errors: Readonly<Record<string, number>>;
  readonly latencyMs: Latency;
}

export interface OperationFigures extends LoadFigures {
  readonly operation: string;
}

/** One part of a scenario's traffic, for example the readers of `mixed`. */
export interface PartFigures extends LoadFigures {
  readonly label: string;
  /** Absent in older logs. */
  readonly operations?: readonly OperationFigures[];
}

/** The closed-model phase before the measurement: each connection sends as soon as it has a response. */
export interface ThroughputPhase extends LoadFigures {
  readonly engine: 'autocannon';
  readonly connections: number;
  readonly workers: number;
  readonly durationMs: number;
}

/** Whether two interleaved parts, for example two forms, take the same time. */
export interface PartsComparison {
  readonly labels: readonly [string, string];
  /** Two-sided p-value of the Mann-Whitney test on the medians of interleaved slices. */
  readonly p: number;
  /** Shift of the second part against the first, as a share of the median of the first. */
  readonly relative: number;
  readonly differ: boolean;
  readonly note: string;
}

/** Items acknowledged under load, compared with those in the deployment afterwards. */
export interface LoadAudit {
  readonly acknowledged: number;
  readonly present: number;
  /** Acknowledged, but not found. */
  readonly missing: number;
  /** Found more than once. */
  readonly duplicated: number;
  /** Some of the missing and duplicated ones. */
  readonly examples: readonly string[];
}

/** Whether a metric changed over the run: errors (share of the requests), latencies (ms), memory and heap (bytes), open files. */
export interface DriftMetric {
  readonly metric: 'p50' | 'p99' | 'errors' | 'memory' | 'heap' | 'files';
  /** Two-sided p-value of the Mann-Kendall test. */
  readonly p: number;
  /** Over the whole run, by the Theil-Sen slope. */
  readonly change: number;
  /** The slope per hour with its 95% confidence interval. Absent in older logs. */
  readonly perHour?: { readonly slope: number; readonly low: number; readonly high: number };
  /** The change as a share of the median; for errors the change itself. */
  readonly relative: number;
  readonly significant: boolean;
}

/** One of the slowest sampled responses, and its ids in the logs and traces of the deployment. */
export interface SlowAnswer {
  readonly operation: string;
  readonly status: number;
  /** From the moment it was sent. */
  readonly ms: number;
  /** ISO 8601. */
  readonly sentAt: string;
  /** By name: `trace`, `x-request-id`, … */
  readonly ids: Readonly<Record<string, string>>;
}

/** Figures of a flow's iterations. */
export interface FlowFigures {
  /** As k6 names it, for example `constant-arrival-rate`. */
  readonly executor: string;
  readonly completed: number;
  /** Ended by a request that failed, or by an error of the scenario. */
  readonly failed: number;
  /** Not started, because too many were running. */
  readonly dropped: number;
  /** Still running when the run ended. */
  readonly interrupted: number;
  /** Highest number of iterations at once. */
  readonly mostRunning: number;
  /** Completed iterations per second. */
  readonly rate: number;
  /** Of completed iterations, from the moment they were due. */
  readonly latencyMs: Latency;
  readonly checks: readonly { readonly name: string; readonly passed: number; readonly failed: number }[];
  /** Errors of the scenario itself, with file and line. */
  readonly mistakes: readonly { readonly text: string; readonly count: number }[];
}

/** How a scenario was run, and the figures beyond those of the record. */
export interface ScenarioDetail {
  readonly title: string;
  readonly model: 'open' | 'closed';
  /** A profile of `--profile`, or `capacity`. */
  readonly profile: string;
  /** The offered rate changes over time, by a profile or stages: `offeredRate` is the highest. */
  readonly varies?: true;
  readonly connections: number;
  readonly workers: number;
  readonly durationMs: number;
  readonly warmupMs: number;
  /** The period that the figures and thresholds of the record refer to: `steady` is without warm-up. */
  readonly judgedOn: 'steady' | 'whole';
  /** The whole run, with warm-up. */
  readonly whole: LoadFigures;
  /** Requests sent in all phases, without the set-up. Absent in older logs. */
  readonly sent?: {
    readonly total: number;
    /** Those of the throughput phase. */
    readonly throughput: number;
    /** Those that could not be sent. */
    readonly unsent: number;
    /** Sent, but not answered: at the end of a step that was stopped, or after a time-out. They may have been served. */
    readonly unanswered?: number;
  };
  /** Accepted responses of all phases by operation. Absent in older logs. */
  readonly served?: Readonly<Record<string, number>>;
  /** Generator lag: from due to sent, where a connection was free. */
  readonly lagMs: Latency;
  /** Share of the time in which the event loop of the busiest worker was busy, 0 to 1. */
  readonly busy: number;
  /** Requests that waited for a free connection. */
  readonly late: number;
  /** Requests that were never sent, because no connection became free. */
  readonly unsent: number;
  /** Sampled answers that were checked against the contract, and those of them with a violation. */
  readonly judged: number;
  readonly violating: number;
  readonly parts: readonly PartFigures[];
  /** Of a scenario with a flow. */
  readonly flow?: FlowFigures;
  /** The slowest sampled answers, the slowest first. */
  readonly slowest?: readonly SlowAnswer[];
  readonly throughput?: ThroughputPhase;
  readonly partsCompared?: PartsComparison;
  readonly audit?: LoadAudit;
  readonly drift?: { readonly metrics: readonly DriftMetric[]; readonly notes: readonly string[] };
  /** Why the generator, not the target, limited the measurement; absent if it did not. */
  readonly generatorLimit?: string;
  readonly stopped?:
    | 'error-storm'
    | 'scenario-error'
    | 'threshold'
    | 'interrupted'
    | 'time-limit'
    | 'agent-lost'
    | 'token-refused';
  /** Of a run on many machines. */
  readonly fleet?: FleetFigures;
}

export interface ScenarioRecord extends Omit<LoadFigures, 'statuses'> {
  readonly type: 'scenario';
  readonly name: string;
  readonly engine: string;
  /** Requests, or iterations of a flow, per second; 0 in the closed model, where the responses determine the rate. */
  readonly offeredRate: number;
  readonly thresholds: readonly {
    readonly expression: string;
    readonly value: number;
    readonly held: boolean;
    /** Nothing was measured that the value could be computed from. */
    readonly noData?: boolean;
    /** For example `p99`; absent in older logs, as is what follows. */
    readonly metric?: string;
    readonly part?: string;
    /** In the unit of `value`. */
    readonly limit?: number;
  }[];
  readonly contractViolations: number;
  readonly histogram: string;
  /** Violations found under load, one for each fingerprint, with the first exchanges as evidence. */
  readonly findings?: readonly Finding[];
  /** Notes on this measurement, for example that the generator was its limit. */
  readonly notes: readonly string[];
  readonly detail?: ScenarioDetail;
}

export interface CapacityRecord {
  readonly type: 'capacity';
  readonly scenario: string;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
  /**
   * `latency`, `stalls` (the target stops responding at times), `errors`, `violations`, `throughput`, `generator`,
   * `max-rate`, `time`, `interrupted` or `error` (the target was lost).
   */
  readonly limitedBy: string;
  /** The rate held repeatedly, in longer steps. */
  readonly confirmed?: boolean;
  /** Rate of the generator against a stub server, in requests per second. */
  readonly generatorRate?: number;
  readonly notes?: readonly string[];
  readonly steps: readonly {
    /** Absent in older logs. */
    readonly kind?: 'probe' | 'confirm';
    readonly offeredRate: number;
    readonly rate: number;
    readonly held: boolean;
    /** Errors as a share of the requests. Absent in older logs. */
    readonly errorShare?: number;
    readonly latencyMs: Latency;
    readonly reason: string;
  }[];
}

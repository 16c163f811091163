import type { RequestSpec } from '../../client/index.ts';
import type { Effect, Exchange, Finding, LoadAudit, Operation } from '../../spec/index.ts';
import type { ApiContext } from '../../domain/index.ts';
import type { ExecutorSettings } from '../flow/executor-plan.ts';
import type { CommonOptions } from '../options.ts';
import type { BodyPool, PoolKind } from './body-pool.ts';

/** One request that a scenario sends repeatedly. */
export interface ScenarioRequest {
  /** Id of the operation, for the checks. */
  readonly operation: string;
  /** Name of the form. */
  readonly form: string;
  readonly method: string;
  /** After the base URL, encoded, with its query. */
  readonly path: string;
  readonly body?: Uint8Array;
  /** Default for a request with a body: `application/json`. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Offsets of fields of `fieldWidth` bytes in the body that get a unique value in each request. */
  readonly fields?: readonly number[];
  /** Statuses that count as success; default: 200 to 299. */
  readonly accepts?: readonly number[];
  /** Requests with the same label share figures in the results; default: the operation. */
  readonly part?: string;
}

/** The acknowledged requests of a finished run, for an audit. */
export interface Acknowledged {
  /** Every id in the unique fields of a request, and whether the response was a success. */
  ids(): Iterable<{ readonly id: string; readonly acknowledged: boolean }>;
  /** Number of requests with a successful response. */
  readonly count: number;
  /** Characters of each id. */
  readonly idWidth: number;
}

export interface AuditResult extends LoadAudit {
  readonly findings?: readonly Finding[];
}

/** A scenario after its setup. */
export interface PreparedScenario {
  readonly requests: readonly ScenarioRequest[];
  /** Width in bytes of all unique fields; default: 12. */
  readonly fieldWidth?: number;
  /** Share of each part in the traffic, by label; default: 1. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Compares what was acknowledged with what exists. Called before `teardown`. */
  audit?(acknowledged: Acknowledged): Promise<AuditResult>;
  /** Removes what the requests have created so far, between the steps of a capacity search. Returns how many items. */
  removeSent?(): Promise<number>;
  /** Removes what the setup and the run created. */
  teardown?(): Promise<void>;
}

/** The context of setup, audit and teardown of a scenario. */
export interface ScenarioContext
  extends
    Pick<CommonOptions, 'contract' | 'send' | 'journal' | 'signal'>,
    Required<Pick<CommonOptions, 'seed' | 'runId' | 'bodyBytes' | 'items' | 'settleMs'>> {
  /** For the functions of `domain/` that create and read items. */
  readonly api: ApiContext;
  /** True if the user allows an effect. */
  readonly allows: (effect: Effect) => boolean;
  /** An operation of the description. Throws an AssayError if it has none. */
  readonly operation: (id: string) => Operation;
  /** Sends. Throws an AssayError unless the response is a success. */
  readonly expectSuccess: (spec: RequestSpec) => Promise<Exchange>;
  /** Encoded bodies of the generators of the domain, seeded; `tag` is a part of every id and name. */
  readonly pool: (kind: PoolKind, count: number, tag?: string) => BodyPool;
  /** Removes everything that `send` and `api` created. */
  readonly removeCreated: () => Promise<void>;
}

export interface Scenario {
  readonly name: string;
  /** One sentence. */
  readonly title: string;
  /** Effects on the deployment; each needs `--allow`. */
  readonly effects: readonly Effect[];
  /** Default thresholds, for example `p99<500`. */
  readonly thresholds: readonly string[];
  /** Rate in requests per second; a file that gives one has no throughput phase by default. */
  readonly rate: number;
  /** False: no throughput phase by default, and `rate` applies. True: half of the measured throughput. */
  readonly throughput?: boolean;
  /** Its parts are the same traffic sent in different ways; the results tell whether they differ. */
  readonly compares?: boolean;
  /** Ids of the operations that it sends; a description without them has no use for it. */
  readonly operations?: readonly string[];
  /** The options of the data that its setup uses; default: both. */
  readonly uses?: readonly ('items' | 'bodyBytes')[];
  /** A function instead of fixed requests: its file, and how iterations are started. */
  readonly flow?: { readonly file: string } & ExecutorSettings;
  setup(context: ScenarioContext): Promise<PreparedScenario>;
}

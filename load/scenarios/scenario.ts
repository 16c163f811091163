import type { Journal, RequestSpec, Send } from '../../client/index.ts';
import type { Contract, Effect, Exchange, Finding, LoadAudit, Operation } from '../../spec/index.ts';
import type { ApiContext } from '../../domain/index.ts';
import type { BodyPool, PoolKind } from './pool.ts';

/** One request that a scenario sends again and again. */
export interface ScenarioRequest {
  /** Id of the operation, for the checks under load. */
  readonly operation: string;
  /** Name of the form. */
  readonly form: string;
  readonly method: string;
  /** After the base URL, encoded, with its query. */
  readonly path: string;
  readonly body?: Uint8Array;
  /** `application/json` where a body is given without it. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Offsets into the body of fields of `fieldWidth` bytes, which are made unique for each sending. */
  readonly fields?: readonly number[];
  /** Statuses that count as success; left out: 200 to 299. */
  readonly accepts?: readonly number[];
  /** Requests with one label are told apart from others in the results; left out: the operation. */
  readonly part?: string;
}

/** What a finished run has done, for an audit. */
export interface Acknowledged {
  /** Every id that was put into the fields of a request, and whether its answer said success. */
  ids(): Iterable<{ readonly id: string; readonly acknowledged: boolean }>;
  /** Requests that were answered with success. */
  readonly count: number;
  /** Characters of each id. */
  readonly idWidth: number;
}

/** What an audit found. */
export interface AuditResult extends LoadAudit {
  readonly findings?: readonly Finding[];
}

/** A scenario that is ready to run. */
export interface PreparedScenario {
  readonly requests: readonly ScenarioRequest[];
  /** Width in bytes of all unique fields; 12 where left out. */
  readonly fieldWidth?: number;
  /** Share of each part in the traffic, by label; 1 where left out. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Compares what was acknowledged with what is there. Before `teardown`. */
  audit?(acknowledged: Acknowledged): Promise<AuditResult>;
  /** Removes what was made, by setup and by the run. */
  teardown?(): Promise<void>;
}

/** What the setup, the audit and the teardown of a scenario work with. */
export interface ScenarioContext {
  readonly contract: Contract;
  /** Sends one request. What it creates is written to the journal. */
  readonly send: Send;
  readonly journal: Journal;
  /** For the functions of `domain/` that create and read items. */
  readonly api: ApiContext;
  readonly seed: number;
  /** Unique to this run: part of every name. Letters and digits. */
  readonly runId: string;
  /** Bytes per body. */
  readonly bodyBytes: number;
  /** Items to page through. */
  readonly items: number;
  /** How long a change may take to become visible, in milliseconds. */
  readonly settleMs: number;
  readonly signal?: AbortSignal;
  /** Whether the user allows an effect. */
  allows(effect: Effect): boolean;
  /** An operation of the description; an AssayError where it has none. */
  operation(id: string): Operation;
  /** Sends, and throws an AssayError where the response is no success. */
  expectSuccess(spec: RequestSpec): Promise<Exchange>;
  /** Prepared bodies from the domain's generators, seeded. */
  pool(kind: PoolKind, count: number): BodyPool;
  /** Removes what `send` and `api` have created. */
  readonly removeCreated: () => Promise<void>;
}

/** What runs under load: one file, one scenario. */
export interface Scenario {
  readonly name: string;
  /** One sentence. */
  readonly title: string;
  /** What it does to a deployment; each needs `--allow`. */
  readonly effects: readonly Effect[];
  /** Judged where the user names none, for example `p99<500`. */
  readonly thresholds: readonly string[];
  /** Requests per second where the user names none and throughput is not measured. */
  readonly rate: number;
  /** False: by default no throughput phase, because everything that the requests create must be removed. */
  readonly throughput?: boolean;
  /** Its parts are the same traffic by different ways: the results say whether they differ. */
  readonly compares?: boolean;
  setup(context: ScenarioContext): Promise<PreparedScenario>;
}

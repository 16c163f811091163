import { Skip } from '../../domain/context.ts';
import type { ApiContext, RequestSpec } from '../../domain/index.ts';
import type {
  Exchange,
  Expectation,
  Finding,
  LateChange,
  ObservationRecord,
  Operation,
  TestRecord,
  Violation,
} from '../../spec/index.ts';
import type { Loss, TargetStats } from '../../client/index.ts';
import type { Session } from './session.ts';

export type { RequestSpec } from '../../domain/index.ts';
export { Skip };

/** What a test works with: it sends requests, every response is judged by the checks, and violations become findings. */
export interface TestContext extends ApiContext {
  readonly session: Session;
  /** Sends, counts and judges; throws {@link Unreachable} where the target cannot be reached any more. */
  send(operation: Operation, request?: RequestSpec): Promise<Exchange>;
  /** Judges what was sent quietly; returns the exchange. */
  judge(operation: Operation, exchange: Exchange, expect?: Expectation): Exchange;
  /** Sends without judging, for requests whose responses the caller judges. */
  sendQuietly(operation: Operation, request?: RequestSpec): Promise<Exchange>;
  /** True where a check of single exchanges found that nothing can be concluded from it; the test then stops here. */
  isUnusable(exchange: Exchange): boolean;
  /** Adds a finding; it names the finding about one of its exchanges that explains it. */
  report(violation: Violation): void;
  /**
   * Reports the violation that `evaluate` returns, if it still does after the settle time and again after that: changes may
   * become visible late, and others may work on the same data. `evaluate` only reads.
   */
  holds(evaluate: () => Promise<Violation | undefined>): Promise<boolean>;
  /**
   * Reports the violation that `evaluate` returns about a change of own data, unless the change shows within the settle time and
   * stays: in several reads on several connections, and through the other form. `evaluate` only reads.
   */
  takesEffect(evaluate: () => Promise<Violation | undefined>): Promise<boolean>;
  /** Records that something became visible only late; see {@link LateChange}. */
  sawLate(late: Pick<LateChange, 'ms' | 'looks'>): void;
  /** Ends the test as skipped. */
  skip(reason: string): never;
  /** Records undocumented behavior. */
  observe(what: string, value: string, operation?: Operation): void;
  countCases(cases: number): void;
  /** Records that fewer cases were run than requested, and why. */
  cutShort(why: string): void;
  readonly findings: readonly Finding[];
}

/** Thrown where an operation does not answer: skips the test. */
export class NotAnswering extends Skip {
  /** A request that timed out. */
  readonly exchange: Exchange;

  constructor(message: string, exchange: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/** Thrown where the target cannot be reached: an error of the run, not a finding. */
export class Unreachable extends Error {}

/** What a test leaves in its Vitest meta for the reporter in the main process. */
export interface TestMeta {
  readonly test: Omit<TestRecord, 'type' | 'name' | 'startedAt'>;
  readonly observations: readonly ObservationRecord[];
  /** Why the target was given up. */
  readonly lost?: Loss;
}

declare module 'vitest' {
  interface TaskMeta {
    assay?: TestMeta;
    /** Of a file: what the client has sent since the run began. */
    statistics?: TargetStats;
  }
}

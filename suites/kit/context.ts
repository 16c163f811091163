import { Postponed, Skip } from '../../domain/context.ts';
import type { ApiContext, RequestSpec } from '../../domain/index.ts';
import type {
  Exchange,
  Expectation,
  Finding,
  LateChange,
  ObservationRecord,
  Operation,
  RerunRecord,
  TestRecord,
  Violation,
} from '../../spec/index.ts';
import type { Loss, TargetStats } from '../../client/index.ts';
import type { Session } from './session.ts';

export type { RequestSpec } from '../../domain/index.ts';
export { Postponed, Skip };

/** The violation that an evaluation finds; undefined where it finds none. */
export type Evaluation = Promise<Violation | undefined>;

/** Reads through the context that it is given. */
export type Evaluate = (t: TestContext) => Evaluation;

/** What a test works with. It sends requests; the checks judge every response, and violations become findings. */
export interface TestContext extends ApiContext {
  readonly session: Session;
  /** Sends, counts and judges; throws {@link Unreachable} where the target cannot be reached any more. */
  send(operation: Operation, request?: RequestSpec): Promise<Exchange>;
  /** Judges what was sent quietly; returns the exchange. */
  judge(operation: Operation, exchange: Exchange, expect?: Expectation): Exchange;
  /** Sends without judging, for requests whose responses the caller judges. */
  sendQuietly(operation: Operation, request?: RequestSpec): Promise<Exchange>;
  /** True where a check of single exchanges found a violation after which nothing can be concluded from the exchange. */
  isUnusable(exchange: Exchange): boolean;
  /** Adds a finding. It names the finding about one of its exchanges that explains it, where there is one. */
  report(violation: Violation): void;
  /**
   * Reports the violation that `evaluate` returns, if it returns one again after the settle time and once more after that: changes
   * may become visible late, and others may work on the same data. `evaluate` only reads. True where nothing was reported.
   */
  holds(evaluate: Evaluate): Promise<boolean>;
  /**
   * Reports the violation that `evaluate` returns about a change of own data, unless the change becomes visible within the settle time
   * and stays visible in several reads on several connections and through the other form. `evaluate` only reads. True where nothing was
   * reported.
   */
  takesEffect(evaluate: Evaluate): Promise<boolean>;
  /** Records that a change became visible late; see {@link LateChange}. */
  recordLateChange(late: Pick<LateChange, 'ms' | 'looks'>): void;
  /** Ends the test as skipped. */
  skip(reason: string): never;
  /** The test does not verify this check or requirement, although it passes. */
  leavesOpen(name: string): void;
  /** Records undocumented behavior. */
  observe(what: string, value: string, operation?: Operation): void;
  countCases(cases: number): void;
  /** Records the reason why fewer cases ran than were requested. */
  cutShort(why: string): void;
  readonly findings: readonly Finding[];
}

/** The time of the run is used up. */
export class OutOfTime extends Skip {}

/** Thrown where an operation does not answer: skips the test. */
export class NotAnswering extends Skip {
  /** A request that timed out. */
  readonly exchange: Exchange;

  constructor(message: string, exchange: Exchange) {
    super(message);
    this.exchange = exchange;
  }
}

/** Thrown if it is unclear whether the target received a request: the test runs again. Not a {@link Skip}, which a test may catch in order to use another item. */
export class Disturbed extends Error {}

/** Thrown where the target cannot be reached: an error of the run, not a finding. */
export class Unreachable extends Error {}

/** What a test passes to the reporter in the main process, in its Vitest meta. */
export interface TestMeta {
  readonly test: Omit<TestRecord, 'type' | 'name'>;
  readonly observations: readonly ObservationRecord[];
  /** Why the target was given up. */
  readonly lost?: Loss;
}

declare module 'vitest' {
  interface TaskMeta {
    assay?: TestMeta;
    /** What became of findings when their tests ran again. */
    rerun?: RerunRecord;
    /** Of a file: what the client has sent since the run began. */
    statistics?: TargetStats;
  }
}

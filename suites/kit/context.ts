import type {
  Expectation,
  CheckName,
  Exchange,
  Finding,
  Form,
  Grade,
  Identity,
  Json,
  Method,
  ObservationRecord,
  Operation,
  TestRecord,
} from '../../spec/index.ts';
import type { PlannedBody } from '../../client/index.ts';
import type { Session } from './session.ts';

/** A request as a suite writes it: everything left out is what the document recommends. */
export interface RequestSpec {
  /** Only its name counts, so the form of another operation will do. */
  readonly form?: Form;
  readonly path?: Readonly<Record<string, Json>>;
  readonly cookies?: Readonly<Record<string, Json>>;
  readonly query?: Readonly<Record<string, Json | undefined>>;
  readonly rawQuery?: string;
  /** The body as a value, sent as JSON or in what else the description takes. */
  readonly json?: Json;
  readonly body?: PlannedBody;
  readonly identity?: Identity;
  readonly authorization?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly method?: Method;
  /** Default `any`. */
  readonly expect?: Expectation;
  /** What this step is for, in a few words; stands in the steps of a finding. */
  readonly label?: string;
  readonly timeoutMs?: number;
  /** This is the request that shows whether what it creates can be found and removed again. */
  readonly proof?: boolean;
}

/** A promise between several exchanges that was not kept. */
export interface Violation {
  readonly check: CheckName;
  /** Left out: the operation's own requirement. */
  readonly requirement?: string;
  /** Left out: the grade of the requirement. */
  readonly grade?: Grade;
  /** Left out: the operation and form of the last exchange. */
  readonly operation?: Operation;
  readonly form?: string;
  readonly cause: string;
  readonly message: string;
  readonly expected: string;
  readonly received: string;
  /** The steps that show it, the decisive one last. */
  readonly exchanges: readonly Exchange[];
  readonly instancePointer?: string;
  /** Path of the counterexample, for `--path`. */
  readonly path?: string;
  /** The same cause on other operations is the same finding. */
  readonly everywhere?: boolean;
}

/** What a test works with: it sends, every answer is judged by the checks, and breaches become findings. */
export interface TestContext {
  readonly session: Session;
  /** Sends, counts and judges; throws {@link Unreachable} where the target is gone. */
  send(operation: Operation, ask?: RequestSpec): Promise<Exchange>;
  /** Judges what was sent quietly; answers the exchange. */
  judge(operation: Operation, exchange: Exchange, expect?: Expectation): Exchange;
  /** Sends without judging, for probes whose answers a generator judges. */
  sendQuietly(operation: Operation, ask?: RequestSpec): Promise<Exchange>;
  /** True where a check of single exchanges already found something in it. */
  tainted(exchange: Exchange): boolean;
  /** Adds a finding, unless an exchange in it already broke a rule of its own: that one is the root cause. */
  report(violation: Violation): void;
  /**
   * Reports what `evaluate` returns, but only where it still does after the settling time and again after that:
   * changes may show late and others may be at work. `evaluate` only reads.
   */
  holds(evaluate: () => Promise<Violation | undefined>): Promise<boolean>;
  /** Ends the test as skipped. */
  skip(reason: string): never;
  observe(what: string, value: string, operation?: Operation): void;
  countCases(cases: number): void;
  /** Tells that fewer cases were tried than wanted, and why. */
  cutShort(why: string): void;
  readonly findings: readonly Finding[];
}

/** Thrown to end a test as skipped. */
export class Skip extends Error {}

/** Thrown where the target can't be reached: an error of the run, not a broken promise. */
export class Unreachable extends Error {}

/** What a test leaves in its Vitest meta for the reporter in the main process. */
export interface TestMeta {
  readonly test: Omit<TestRecord, 'type' | 'name' | 'startedAt'>;
  readonly observations: readonly ObservationRecord[];
  /** Why the target can't be reached any more. */
  readonly lost?: string;
}

declare module 'vitest' {
  interface TaskMeta {
    assay?: TestMeta;
  }
}

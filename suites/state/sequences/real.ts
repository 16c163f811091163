import type { Exchange } from '../../../spec/index.ts';
import type { KnownOrder } from '../../oracle/index.ts';
import type { Violation, TestContext } from '../../kit/context.ts';
import type { StateMember } from './state-member.ts';
import type { Family, Subject } from './subject.ts';

/** What the model of a run of commands knows. */
export interface Model {
  readonly subjects: Subject[];
  /** Undefined: not set in this run. */
  order: KnownOrder | undefined;
}

/** What a run of commands works on. */
export interface Real {
  readonly t: TestContext;
  readonly family: Family;
  /** Narrows lists to what sequences made, where the deployment can. */
  readonly search: Readonly<Record<string, string>>;
  readonly told: StateMember | undefined;
  /** Makes one more of the family, and learns its state. */
  make(): Promise<Subject>;
  readonly patienceMs: number;
  /** What was sent so far, without the looks. */
  readonly steps: Exchange[];
}

/** Thrown by a command whose answer, or what is seen after it, the oracle does not allow. */
export class Departure extends Error {
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(violation.message);
    this.violation = violation;
  }
}

/** Thrown to end a run of commands that can't be judged further: an answer already broke a rule by itself. */
export class Halt extends Error {}

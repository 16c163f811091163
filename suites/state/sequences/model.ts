import type { Exchange, Violation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import type { KnownOrder } from '../../oracle/index.ts';
import type { Family, TrackedItem } from './items.ts';
import type { Setup } from './setup.ts';

/** What the model of a sequence knows. */
export interface Model {
  readonly items: TrackedItem[];
  /** Undefined: not set in this sequence. */
  order: KnownOrder | undefined;
}

/** What a sequence works with. */
export interface Real extends Setup {
  readonly t: TestContext;
  readonly family: Family;
  /** How long a change may take to become visible, in milliseconds. */
  readonly settleMs: number;
  /** Exchanges of the sequence so far, without the reads that check the state. */
  readonly steps: Exchange[];
}

/** Thrown by a step whose response, or the state after it, the oracle does not allow. */
export class ViolationFound extends Error {
  readonly violation: Violation;

  constructor(violation: Violation) {
    super(violation.message);
    this.violation = violation;
  }
}

/** Thrown to end a sequence that cannot be judged further: a check of single exchanges already found a violation. */
export class StopSequence extends Error {}

import type { Contract, Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import type { Grade } from '../requirements.ts';

/**
 * What the sender knows about its request: `success` (valid, by a caller who may: it must be served), `refusal`
 * (it must be refused), `any` (the document leaves it open).
 */
export type Expectation = 'success' | 'refusal' | 'any';

/** What a check looks at. */
export interface Subject {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly expectation: Expectation;
}

/** One broken rule, before it is dressed as a finding. */
export interface RuleViolation {
  /** Id of the requirement; left out: the operation's own. */
  readonly requirement?: string;
  /** Left out: the grade of the requirement. */
  readonly grade?: Grade;
  /** Tells two defects of one check on one operation apart; free of ids, times and seeds. */
  readonly cause: string;
  readonly message: string;
  readonly expected: string;
  readonly received: string;
  readonly instancePointer?: string;
  readonly schemaPointer?: string;
}

/** One rule over an exchange, pure. */
export type Judge = (subject: Subject) => readonly RuleViolation[];

/** An entry of the map of checks. */
export interface CheckEntry {
  /** The rule in one sentence. */
  readonly rule: string;
  /** Faults of the embedded service that it must catch. */
  readonly catches: readonly string[];
  /** What proves it instead, where one run against a faulty service can't. */
  readonly provedBy?: string;
  /** Runs on every exchange; a check without it is tried by a suite that compares several. */
  readonly judge?: Judge;
}

import type { Contract, Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import type { ExchangeViolation } from '../violation.ts';

/**
 * What the sender knows about its request: `success` (valid and authorised: it must be served), `valid` (so too, by a
 * description that does not promise to serve it), `refusal` (it must be refused), `any` (not documented).
 */
export type Expectation = 'success' | 'valid' | 'refusal' | 'any';

/** Input of a check. */
export interface Subject {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly expectation: Expectation;
}

/** One rule over one exchange; pure. */
export type Judge = (subject: Subject) => readonly ExchangeViolation[];

/** An entry of the map of checks. */
export interface CheckEntry {
  /** The rule in one sentence. */
  readonly rule: string;
  /** Runs on every exchange; a check without it is reported by suites that compare several exchanges. */
  readonly judge?: Judge;
}

import type { Contract, Operation } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import type { ExchangeViolation } from '../violation.ts';

/**
 * The outcome that the sender expects: `success` (the request is valid and authorised, and must succeed), `valid` (valid and
 * authorised, but the description does not guarantee success), `refusal` (it must be refused), `any` (not documented).
 */
export type Expectation = 'success' | 'valid' | 'refusal' | 'any';

/** Input of a check. */
export interface Subject {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly exchange: Exchange;
  readonly expectation: Expectation;
}

/** Checks one exchange by one rule; pure. */
export type Check = (subject: Subject) => readonly ExchangeViolation[];

export interface CheckEntry {
  /** The rule in one sentence. */
  readonly rule: string;
  /** Runs on every exchange; without it, suites that compare several exchanges report the check. */
  readonly judge?: Check;
}

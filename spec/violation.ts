import type { Operation } from './contract.ts';
import type { Exchange } from './exchange.ts';
import type { FindingCode } from './finding-codes.ts';
import type { Grade } from './requirements.ts';

/** A requirement that one exchange, or several together, violate. */
export interface Violation {
  readonly code: FindingCode;
  /**
   * Distinguishes defects with the same code on the same operation, for example by status, member or parameter.
   * Part of the fingerprint, so it holds no ids, times or seeds and stays the same between runs.
   */
  readonly subject?: string;
  /** Id of the requirement; default: the operation's own. */
  readonly requirement?: string;
  /** Default: the grade of the requirement. */
  readonly grade?: Grade;
  /** Default: operation and form of the last exchange. */
  readonly operation?: Operation;
  readonly form?: string;
  readonly message: string;
  readonly expected: string;
  readonly received: string;
  /** The exchanges that contradict each other or the document, in order of sending. */
  readonly exchanges: readonly Exchange[];
  /** Requests that created the shown data, equal except for names: the curl line repeats the first for each of them. */
  readonly setup?: readonly Exchange[];
  /** JSON pointers into the received body and into the description. */
  readonly instancePointer?: string;
  readonly schemaPointer?: string;
  /** Path of the counterexample, for `--path`. */
  readonly path?: string;
  /** The same violation on other operations is the same finding. */
  readonly everywhere?: boolean;
}

/** A violation by one exchange; the caller adds operation, form and exchange. */
export type ExchangeViolation = Omit<Violation, 'operation' | 'form' | 'exchanges' | 'path' | 'everywhere'>;

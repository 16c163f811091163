import type { Operation } from './contract.ts';
import type { Exchange } from './exchange.ts';
import type { FindingCode } from './finding-codes.ts';
import type { Grade } from './requirements.ts';

/** A requirement that one exchange, or several together, violate. */
export interface Violation {
  readonly code: FindingCode;
  /**
   * Tells two defects with the same code on the same operation apart, for example a status, a member or a parameter.
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
  /** The exchanges that contradict each other or the document, in the order they were made. */
  readonly exchanges: readonly Exchange[];
  /** Requests that made what is shown, alike but for names: the curl line repeats the first as often as there are. */
  readonly setup?: readonly Exchange[];
  /** JSON pointers into the received body and into the description. */
  readonly instancePointer?: string;
  readonly schemaPointer?: string;
  /** Path of the counterexample, for `--path`. */
  readonly path?: string;
  /** The same violation on other operations is the same finding. */
  readonly everywhere?: boolean;
}

/** What a check says of one exchange: the caller adds operation, form and exchange. */
export type ExchangeViolation = Omit<Violation, 'operation' | 'form' | 'exchanges' | 'path' | 'everywhere'>;

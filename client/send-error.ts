import type { Exchange } from '../spec/index.ts';

/** Why a request was not sent, or why its outcome does not count. */
export type SendErrorCode =
  | 'effect-not-allowed'
  /** `--max-requests` of its operation are used up. */
  | 'request-limit'
  /** Its path would address another operation. */
  | 'other-operation'
  | 'time-limit'
  | 'interrupted'
  /** The target asked to retry later for longer than the run may wait. */
  | 'postponed'
  | 'not-answering'
  | 'unreachable'
  /** A token is no longer accepted and can't be renewed. */
  | 'token-refused';

/** Thrown by a sender in place of an exchange. */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly code: SendErrorCode;
  /** The last exchange with an operation that does not respond. */
  readonly exchange: Exchange | undefined;

  constructor(code: SendErrorCode, message: string, exchange?: Exchange) {
    super(message);
    this.code = code;
    this.exchange = exchange;
  }
}

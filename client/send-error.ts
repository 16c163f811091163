import type { Exchange } from '../spec/index.ts';

/** Why a request was not sent, or why its outcome is no basis for a verdict. */
export type SendErrorCode =
  /** `--allow` does not include its effect. */
  | 'effect-not-allowed'
  /** `--max-requests` of its operation are used up. */
  | 'request-limit'
  /** Its path would address another operation. */
  | 'other-operation'
  /** The time of the run is over. */
  | 'time-limit'
  /** The target asked to come back later more often than the run may wait. */
  | 'postponed'
  /** Its operation does not answer. */
  | 'not-answering'
  /** The target can't be reached. */
  | 'unreachable'
  /** A token is no longer accepted and can't be renewed. */
  | 'token-refused';

/** Thrown by a sender in place of an exchange. */
export class SendError extends Error {
  override readonly name = 'SendError';
  readonly code: SendErrorCode;
  /** The last exchange with an operation that does not answer. */
  readonly exchange: Exchange | undefined;

  constructor(code: SendErrorCode, message: string, exchange?: Exchange) {
    super(message);
    this.code = code;
    this.exchange = exchange;
  }
}

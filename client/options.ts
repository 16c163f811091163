import type { Operation } from '../spec/index.ts';
import type { Connection } from './connection.ts';
import type { Deadline } from './middleware/deadline.ts';
import type { GuardOptions } from './middleware/effect-guard.ts';
import type { JournalingOptions } from './middleware/journal.ts';
import type { RequiredParameters } from './request-spec.ts';
import type { Tokens } from './tokens.ts';

/** How to reach a deployment, and the options of the pipeline. Only the base URL is required. */
export interface TargetOptions extends Connection {
  /** What comes before `/api/…`; may have a path of its own. */
  readonly baseUrl: string;
  readonly tokens?: Tokens;
  /** Called with every configured or issued token, and with the secrets used to obtain it. */
  readonly onSecret?: (secret: string, variable: string) => void;
  /** Time limit of one attempt, from connecting to the last byte, in milliseconds (30,000). */
  readonly timeoutMs?: number;
  /** Maximum size of a decoded body in bytes; the rest is not read (8 MiB). */
  readonly maxBodyBytes?: number;
  /** Connections, and thus concurrent requests. Default: 16, and up to 48 if the target is distant and handles them. */
  readonly connections?: number;
  /** Requests per second; default: no limit. */
  readonly maxRate?: number;
  readonly retry?: RetryOptions;
  /** The media type of a body given as a value; default: JSON. */
  readonly bodyTypeOf?: (operation: Operation) => string;
  /** Sent with every request that does not set them, or set them to undefined; default: none. */
  readonly requiredOf?: (operation: Operation) => RequiredParameters;
  /** The operation that reads what another one changes, for the ETag that the other one declares as If-Match; default: none. */
  readonly readOf?: (operation: Operation) => Operation | undefined;
  /** Which requests may be sent; default: all. */
  readonly guard?: GuardOptions;
  /** Default: none. */
  readonly deadline?: Deadline;
  /** How to record created resources; default: not at all. */
  readonly journaling?: JournalingOptions;
  /** Throw a SendError for an exchange that is no evidence about the service: target unreachable, or always 429. */
  readonly requireAvailable?: boolean;
}

/** Limits of the retry policy, which `client/middleware/retry.ts` documents. */
export interface RetryOptions {
  /** Limit in milliseconds (60,000) for 429s without any other response, and for waits beyond half of the elapsed time. */
  readonly patienceMs?: number;
  /** Whether a refused connection is tried again (true). */
  readonly reconnect?: boolean;
}

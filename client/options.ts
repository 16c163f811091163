import type { Operation } from '../spec/index.ts';
import type { Connection } from './connection.ts';
import type { Deadline } from './middleware/deadline.ts';
import type { GuardOptions } from './middleware/effect-guard.ts';
import type { JournalingOptions } from './middleware/journal.ts';
import type { Tokens } from './tokens.ts';

/** How a deployment is reached, and what its pipeline does. Only the base URL is required. */
export interface TargetOptions extends Connection {
  /** What comes before `/api/…`; may have a path of its own. */
  readonly baseUrl: string;
  readonly tokens?: Tokens;
  /** Called with every token that is given or issued, and with the secrets that were used to get it. */
  readonly onSecret?: (secret: string, variable: string) => void;
  /** Longest time for one attempt, from connecting to the last byte, in milliseconds (30,000). */
  readonly timeoutMs?: number;
  /** Bytes that are kept of a body, after decoding; the rest is not read (8 MiB). */
  readonly maxBodyBytes?: number;
  /** Connections, and so requests at once. Left out: 16, and up to 48 where the target is far away and handles them. */
  readonly connections?: number;
  /** Requests per second; left out: no limit. */
  readonly maxRate?: number;
  readonly retry?: RetryOptions;
  /** The media type of a body that is given as a value; left out: JSON. */
  readonly bodyTypeOf?: (operation: Operation) => string;
  /** Which requests may be sent; left out: all. */
  readonly guard?: GuardOptions;
  /** Left out: none. */
  readonly deadline?: Deadline;
  /** How created resources are written down; left out: not at all. */
  readonly journaling?: JournalingOptions;
  /** Throw a SendError in place of an exchange that says nothing about the service: target unreachable, or always 429. */
  readonly requireAvailable?: boolean;
}

/** How long the client tries to get a response; `client/middleware/retry.ts` documents the policy. */
export interface RetryOptions {
  /** Milliseconds (60,000) of 429s without any other response, and of waiting in all beyond half of the time that has passed. */
  readonly patienceMs?: number;
  /** Whether a refused connection is tried again (true). */
  readonly reconnect?: boolean;
}

import type { Operation } from '../spec/index.ts';
import type { Deadline } from './middleware/deadline.ts';
import type { GuardOptions } from './middleware/effect-guard.ts';
import type { JournalingOptions } from './middleware/journal.ts';
import type { Tokens } from './tokens.ts';

/** How a deployment is reached, and what its pipeline does. Only the base URL is required. */
export interface TargetOptions {
  /** What comes before `/api/…`; may have a path of its own. */
  readonly baseUrl: string;
  readonly tokens?: Tokens;
  /** Longest time for one attempt, from connecting to the last byte, in milliseconds (30,000). */
  readonly timeoutMs?: number;
  /** Longest time for making a connection, in milliseconds (10,000). */
  readonly connectTimeoutMs?: number;
  /** Bytes that are kept of a body, after decoding; the rest is not read (8 MiB). */
  readonly maxBodyBytes?: number;
  /** Most bytes of headers and trailers (64 KiB). */
  readonly maxHeaderBytes?: number;
  /** Connections, and so requests at once. Left out: 16, and up to 48 where the target is far away and handles them. */
  readonly connections?: number;
  /** Requests per second; left out: no limit. */
  readonly maxRate?: number;
  readonly retry?: Partial<RetryOptions>;
  /** Accept certificates that can't be verified. */
  readonly insecure?: boolean;
  /** Certificates (PEM) to trust instead of the system's. */
  readonly ca?: string | readonly string[];
  /** Prefix of exchange ids (`x`), so that two processes of one run can differ. */
  readonly idPrefix?: string;
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

/** How long the client tries to get a response. */
export interface RetryOptions {
  /** Attempts for one request that is answered with 429 or 503 (12). */
  readonly attempts: number;
  /** Longest single wait in milliseconds; a longer `Retry-After` is not waited for (30,000). */
  readonly longestWaitMs: number;
  /** Milliseconds (60,000) of 429s without any other response, and of waiting in all beyond half of the time that has passed. */
  readonly patienceMs: number;
  /** Whether a refused connection is tried again (true). */
  readonly reconnect: boolean;
}

/** {@link TargetOptions} with defaults filled in. */
export type Limits = Required<
  Pick<TargetOptions, 'timeoutMs' | 'connectTimeoutMs' | 'maxBodyBytes' | 'maxHeaderBytes' | 'connections' | 'idPrefix'>
> & { readonly mostConnections: number; readonly maxRate: number; readonly retry: RetryOptions };

/** Fills in what was left out. */
export function limitsOf(options: TargetOptions): Limits {
  const timeoutMs = options.timeoutMs ?? 30_000;
  return {
    timeoutMs,
    connectTimeoutMs: Math.min(options.connectTimeoutMs ?? 10_000, timeoutMs),
    maxBodyBytes: options.maxBodyBytes ?? 8 * 1024 * 1024,
    maxHeaderBytes: options.maxHeaderBytes ?? 64 * 1024,
    connections: options.connections ?? 16,
    mostConnections: options.connections ?? 48,
    idPrefix: options.idPrefix ?? 'x',
    maxRate: options.maxRate ?? Infinity,
    retry: { attempts: 12, longestWaitMs: 30_000, patienceMs: 60_000, reconnect: true, ...options.retry },
  };
}

import type { Tokens } from './tokens.ts';

/** What a target is made of; only the base URL is needed. */
export interface TargetOptions {
  /** What comes before `/api/…`; may have a path of its own. */
  readonly baseUrl: string;
  readonly tokens?: Tokens;
  /** Longest time for one attempt, from connecting to the last byte, in milliseconds (30,000). */
  readonly timeoutMs?: number;
  /** Longest time for a connection to be made, in milliseconds (10,000). */
  readonly connectTimeoutMs?: number;
  /** Most bytes that are kept of a body, after decoding; the rest is not read (8 MiB). */
  readonly maxBodyBytes?: number;
  /** Most bytes of headers and trailers (64 KiB). */
  readonly maxHeaderBytes?: number;
  /** Connections, and so requests at once (left out: 16, and up to 48 where a target is far away and bears it). */
  readonly connections?: number;
  /** Never more requests a second than this; no limit by default. */
  readonly maxRate?: number;
  readonly retry?: Partial<RetryOptions>;
  /** Accept certificates that can't be verified. */
  readonly insecure?: boolean;
  /** Certificates (PEM) to trust instead of the system's. */
  readonly ca?: string | readonly string[];
  /** Begins every exchange id (`x`), so that two processes of one run can differ. */
  readonly idPrefix?: string;
}

/** How far the client goes to get an answer from a target that says: later. Milliseconds. */
export interface RetryOptions {
  /** Most attempts for one request (12). */
  readonly attempts: number;
  /** Longest single wait; a `Retry-After` beyond it is not waited for (30,000). */
  readonly longestWaitMs: number;
  /**
   * How long 429s alone are borne, without any other answer in between; and how much waiting there may be in all, beyond
   * half of the time that has passed (60,000).
   */
  readonly patienceMs: number;
}

/** {@link TargetOptions} with every choice made. */
export type Limits = Required<
  Pick<TargetOptions, 'timeoutMs' | 'connectTimeoutMs' | 'maxBodyBytes' | 'maxHeaderBytes' | 'connections' | 'idPrefix'>
> & { readonly mostConnections: number; readonly maxRate: number; readonly retry: RetryOptions };

/** Fills in what was left out. */
export function limitsOf(options: TargetOptions): Limits {
  return {
    timeoutMs: options.timeoutMs ?? 30_000,
    connectTimeoutMs: Math.min(options.connectTimeoutMs ?? 10_000, options.timeoutMs ?? 30_000),
    maxBodyBytes: options.maxBodyBytes ?? 8 * 1024 * 1024,
    maxHeaderBytes: options.maxHeaderBytes ?? 64 * 1024,
    connections: options.connections ?? 16,
    mostConnections: options.connections ?? 48,
    idPrefix: options.idPrefix ?? 'x',
    maxRate: options.maxRate ?? Infinity,
    retry: { attempts: 12, longestWaitMs: 30_000, patienceMs: 60_000, ...options.retry },
  };
}

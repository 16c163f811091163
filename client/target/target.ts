import type { Exchange } from '../../spec/index.ts';
import type { Send, Wrap } from '../plan.ts';
import { withAuthorization } from '../wrap/authorization.ts';
import { withGate } from '../wrap/gate.ts';
import { Pace, withPace } from '../wrap/pace.ts';
import { withRetry } from '../wrap/retry.ts';
import { createWire } from '../wire/wire.ts';
import type { TlsOptions } from '../wire/wire.ts';
import { parseBaseUrl } from './base-url.ts';
import { limitsOf } from './options.ts';
import type { TargetOptions } from './options.ts';
import { redactorOf } from './redact.ts';
import { cleanTokens } from './tokens.ts';
import type { TokenName } from './tokens.ts';

/** Counters of a target, since it was created. */
export interface TargetStats {
  /** Exchanges that were handed out. */
  readonly exchanges: number;
  /** Requests that were repeated because of 429 or 503. */
  readonly repeats: number;
  /** Exchanges without an answer. */
  readonly failures: number;
  readonly responseBytes: number;
  /** How long the target's 429s held everybody, in milliseconds. */
  readonly pausedMs: number;
}

interface Counters {
  exchanges: number;
  repeats: number;
  failures: number;
  responseBytes: number;
}

/** A deployment that can be spoken to. */
export interface Target {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Which tokens are known. */
  readonly has: Readonly<Record<TokenName, boolean>>;
  /** Sends one plan; never throws for what the target does. */
  readonly send: Send;
  readonly stats: TargetStats;
  /** Longest time for one attempt, in milliseconds, where the plan names none. */
  readonly timeoutMs: number;
  /** Another base URL with the same tokens and limits, to be closed by itself. */
  at(baseUrl: string): Target;
  /** Replaces every known token in a text by its variable's name. */
  redact(text: string): string;
  /** Ends what is under way (it fails as `aborted`) and closes all connections. */
  close(): Promise<void>;
}

function withStats(stats: Counters): Wrap {
  const note = (exchange: Exchange) => {
    stats.exchanges += 1;
    stats.repeats += exchange.attempts - 1;
    if (exchange.response) stats.responseBytes += exchange.response.body.byteLength;
    else stats.failures += 1;
    return exchange;
  };
  return (next) => async (plan) => note(await next(plan));
}

function tlsOf({ insecure, ca }: TargetOptions): TlsOptions {
  return {
    rejectUnauthorized: insecure !== true,
    ...(ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] }),
  };
}

/** Opens a target. A base URL or token that can't be one is an AssayError (exit code 3) with the mend. */
export function createTarget(options: TargetOptions): Target {
  const base = parseBaseUrl(options.baseUrl);
  const tokens = cleanTokens(options.tokens ?? {});
  const limits = limitsOf(options);
  const redactor = redactorOf(tokens);
  const wire = createWire({ base, tokens, redactor, limits, tls: tlsOf(options) });
  const stats: Counters = { exchanges: 0, repeats: 0, failures: 0, responseBytes: 0 };
  const pace = new Pace(limits.maxRate);
  const wraps: readonly Wrap[] = [
    withStats(stats),
    withAuthorization(tokens),
    withGate(limits.connections, limits.mostConnections),
    withRetry(pace, limits.retry),
    withPace(pace),
  ];
  return {
    baseUrl: base.href,
    has: {
      full: tokens.full !== undefined,
      limited: tokens.limited !== undefined,
      expired: tokens.expired !== undefined,
    },
    send: wraps.reduceRight((next, wrap) => wrap(next), wire.send),
    get stats() {
      return { ...stats, pausedMs: Math.round(pace.pausedMs) };
    },
    timeoutMs: limits.timeoutMs,
    at: (baseUrl) => createTarget({ ...options, baseUrl }),
    redact: (text) => redactor.text(text),
    close: () => {
      pace.stop();
      return wire.close();
    },
  };
}

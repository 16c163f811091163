import { Secrets } from '../spec/index.ts';
import { parseBaseUrl } from './base-url.ts';
import { connectionOf } from './connection.ts';
import type { Connection } from './connection.ts';
import { secretValues } from './extra-headers.ts';
import { CircuitBreaker, withCircuitBreaker } from './middleware/circuit-breaker.ts';
import { withAuthentication } from './middleware/authentication.ts';
import { Availability, withAvailability } from './middleware/availability.ts';
import type { Loss } from './middleware/availability.ts';
import { ConcurrencyLimit, withConcurrencyLimit } from './middleware/concurrency-limit.ts';
import { withDeadline, withLastCheck } from './middleware/deadline.ts';
import { withEffectGuard } from './middleware/effect-guard.ts';
import { withIfMatch } from './middleware/if-match.ts';
import { withJournal } from './middleware/journal.ts';
import { withPageSize } from './middleware/page-size.ts';
import { RateLimits, withRateLimit } from './middleware/rate-limit.ts';
import { Renewal } from './middleware/renewal.ts';
import type { Meaning } from './middleware/token-watch.ts';
import { withRequiredParameters } from './middleware/required-parameters.ts';
import { withRetry } from './middleware/retry.ts';
import { Statistics, withFollowing, withStatistics } from './middleware/statistics.ts';
import type { TokenName } from '../spec/index.ts';
import type { TargetStats } from './middleware/statistics.ts';
import type { TargetOptions } from './options.ts';
import type { Middleware, Send } from './request-spec.ts';
import { KeyRing } from './tokens.ts';
import { createTransport } from './transport/transport.ts';

/** A deployment that requests can be sent to. */
export interface Target {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly connection: Connection;
  /** Which tokens are known. */
  readonly has: Readonly<Record<'full' | 'limited' | 'expired', boolean>>;
  /** The tokens, for senders that bypass the pipeline. */
  readonly keys: KeyRing;
  /** What a 401 to such a sender means; renews a refused token if possible. */
  explain(name: TokenName): Promise<Meaning>;
  readonly send: Send;
  readonly stats: TargetStats;
  /** Why the target was given up; undefined while it is usable. `unreachable` only with `requireAvailable`. */
  readonly lost: Loss | undefined;
  /** Time limit of one attempt in milliseconds, unless the request sets another. */
  readonly timeoutMs: number;
  /** From now on, at most so many requests are under way at once; `Infinity`: as many as its limit allows. */
  limitConcurrency(most: number): void;
  /** A target for another base URL with the same options; the caller closes it. */
  at(baseUrl: string): Target;
  /** Replaces every known token in a text with the name of its variable. */
  readonly redact: (text: string) => string;
  /** Aborts requests in flight (they fail as `aborted`) and closes all connections. */
  close(): Promise<void>;
}

/** Default limits of concurrent requests: the initial one, and the maximum for a distant target. */
const CONNECTIONS = { first: 12, highest: 64 };

export function createTarget(options: TargetOptions): Target {
  const statistics = new Statistics();
  const limits = new RateLimits(options.maxRate ?? Infinity);
  const availability = new Availability();
  const { timeoutMs = 30_000, maxBodyBytes = 8 * 1024 * 1024, insecure = false, onSecret } = options;
  const keys = new KeyRing(options.tokens ?? {}, { secrets: secretsOf(options), insecure, onSecret });
  const { connections: first = CONNECTIONS.first, connections: highest = CONNECTIONS.highest } = options;
  const transport = createTransport({
    baseUrl: options.baseUrl,
    connection: connectionOf(options),
    keys,
    redactor: keys.redactor,
    timeoutMs,
    maxBodyBytes,
    connections: highest,
    bodyTypeOf: options.bodyTypeOf ?? (() => 'application/json'),
  });

  const concurrency = new ConcurrencyLimit(first, highest);
  const renewal = new Renewal({ keys, availability, statistics });

  /** The middleware of every request, from the caller to the transport. */
  const pipeline: readonly Middleware[] = [
    withPageSize(),
    withIfMatch(options.readOf),
    ...(options.requireAvailable === true ? [withAvailability(availability)] : []),
    withStatistics(statistics),
    withRequiredParameters(options.requiredOf, options.headers),
    withAuthentication(keys),
    withEffectGuard(options.guard),
    withDeadline(options.deadline),
    withJournal(options.journaling),
    withConcurrencyLimit(concurrency),
    ...(options.requireAvailable === true ? [withCircuitBreaker(new CircuitBreaker(availability))] : []),
    withRetry({ ...options.retry, limits, statistics }),
    renewal.middleware,
    withRateLimit(limits, statistics),
    withFollowing(statistics, options.deadline, keys.redactor),
  ];

  return {
    baseUrl: parseBaseUrl(options.baseUrl).href,
    connection: connectionOf(options),
    has: { full: keys.has('full'), limited: keys.has('limited'), expired: keys.has('expired') },
    keys,
    explain: (name) => renewal.explain(name),
    send: pipeline.reduceRight((next, middleware) => middleware(next), withLastCheck(options.deadline)(transport.send)),
    get stats() {
      return statistics.snapshot();
    },
    get lost() {
      return availability.lost;
    },
    timeoutMs,
    limitConcurrency: (most) => concurrency.cap(most),
    at: (baseUrl) => createTarget({ ...options, baseUrl, bases: {} }),
    redact: (text) => keys.redactor.text(text),
    close: () => {
      limits.stop();
      return transport.close();
    },
  };
}

function secretsOf({ headers = {} }: TargetOptions): Secrets {
  const secrets = new Secrets();
  for (const [value, name] of secretValues(headers)) secrets.keep(value, name);
  return secrets;
}

import type { Exchange, TokenName } from '../../spec/index.ts';
import type { LiveToken } from '../credentials/live-token.ts';
import type { Middleware, RequestSpec, Send } from '../request-spec.ts';
import { labelOf, variablesIn } from '../tokens.ts';
import type { KeyRing } from '../tokens.ts';
import { notSent } from './authentication.ts';
import type { Availability } from './availability.ts';
import type { Statistics } from './statistics.ts';
import { TokenWatch } from './token-watch.ts';
import type { Meaning } from './token-watch.ts';

/** More than one token may expire during a request. */
const MOST_ATTEMPTS = 3;

export interface RenewalParts {
  readonly keys: KeyRing;
  readonly availability: Availability;
  readonly statistics: Statistics;
}

/** The token of a request; none if the request tests the token or its absence. */
function tokenOf({ identity, credentials = [] }: RequestSpec): TokenName | undefined {
  if (identity === undefined || identity === 'none' || identity === 'invalid' || identity === 'expired')
    return undefined;
  const variable = `$${labelOf(identity).variable}`;
  return credentials.some(({ secret }) => secret === variable) ? identity : undefined;
}

/** The tokens of a request: its own, and those in a header set by the caller. */
function namedIn({ authorization = '', credentials = [] }: RequestSpec, keys: KeyRing): readonly TokenName[] {
  const variables = variablesIn([authorization, ...credentials.map(({ secret }) => secret)].join(' '));
  return variables.length === 0 ? [] : keys.names.filter((name) => variables.includes(labelOf(name).variable));
}

/**
 * Sends each request with a token that has not expired, and waits while it is renewed. After a 401 the request is sent again if
 * there is a new token: it was refused, so nothing changed. To decide whether the 401 concerns the operation or the token, reads
 * that succeeded before are repeated: if they succeed, the 401 is returned; if they are refused too and the token cannot be
 * renewed, the target is given up.
 */
export class Renewal {
  readonly #parts: RenewalParts;
  readonly #watches = new Map<TokenName, TokenWatch>();
  #next: Send | undefined;

  constructor(parts: RenewalParts) {
    this.#parts = parts;
  }

  readonly middleware: Middleware = (next) => {
    this.#next = next;
    return async (spec) => {
      for (let attempts = 1; ; attempts += 1) {
        const { exchange, repeat } = await this.#sendOnce(spec, next);
        if (!repeat || attempts >= MOST_ATTEMPTS) return attempts === 1 ? exchange : { ...exchange, attempts };
        this.#parts.statistics.countRepeat(spec.operation.id, 'status-401');
      }
    };
  };

  /** What a 401 to a request that bypassed the middleware means. */
  async explain(name: TokenName): Promise<Meaning> {
    const token = this.#parts.keys.get(name);
    if (token === undefined || this.#next === undefined) return 'operation';
    return this.#watchOf(name, token, this.#next).explain();
  }

  #watchOf(name: TokenName, token: LiveToken, send: Send): TokenWatch {
    const watch = this.#watches.get(name) ?? new TokenWatch(name, token, send, this.#parts.availability);
    this.#watches.set(name, watch);
    return watch;
  }

  /** Why a token cannot be obtained; undefined once there is a valid one. */
  async #prepare(name: TokenName): Promise<string | undefined> {
    const { keys, availability } = this.#parts;
    try {
      await keys.get(name)?.get();
      return undefined;
    } catch (error) {
      const message = (error instanceof Error ? error.message : String(error)).replace(/\.$/u, '');
      availability.lose({ code: 'token-refused', message, token: name });
      return message;
    }
  }

  async #sendOnce(spec: RequestSpec, next: Send): Promise<{ readonly exchange: Exchange; readonly repeat: boolean }> {
    const { keys } = this.#parts;
    for (const name of namedIn(spec, keys)) {
      const problem = await this.#prepare(name);
      if (problem !== undefined) return { exchange: notSent(spec, spec.identity ?? name, problem), repeat: false };
    }
    const name = tokenOf(spec);
    const token = name === undefined ? undefined : keys.get(name);
    const used = token?.current;
    const exchange = await next(spec);
    if (name === undefined || token === undefined || used === undefined || exchange.response === undefined)
      return { exchange, repeat: false };
    const { status } = exchange.response;
    const watch = this.#watchOf(name, token, next);
    if (status !== 401) watch.note(spec, status, used);
    return { exchange, repeat: status === 401 && (await isReplaced(watch, token, used)) };
  }
}

/** True if there is another token than the refused one. */
async function isReplaced(watch: TokenWatch, token: LiveToken, used: string): Promise<boolean> {
  if (token.current !== used) return true;
  const meaning = await watch.explain();
  return meaning === 'renewed' || (meaning === 'operation' && token.current !== used);
}

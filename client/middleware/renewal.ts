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

/** A request may meet the end of more than one token. */
const MOST_ATTEMPTS = 3;

/** What the renewal works with. */
export interface RenewalParts {
  readonly keys: KeyRing;
  readonly availability: Availability;
  readonly statistics: Statistics;
}

/** The token of a request; none where the token, or its absence, is what the request is about. */
function tokenOf({ identity, credentials = [] }: RequestSpec): TokenName | undefined {
  if (identity === undefined || identity === 'none' || identity === 'invalid' || identity === 'expired')
    return undefined;
  const variable = `$${labelOf(identity).variable}`;
  return credentials.some(({ secret }) => secret === variable) ? identity : undefined;
}

/** The tokens that a request names: its own, and those in a header that the caller wrote. */
function namedIn({ authorization = '', credentials = [] }: RequestSpec, keys: KeyRing): readonly TokenName[] {
  const variables = variablesIn([authorization, ...credentials.map(({ secret }) => secret)].join(' '));
  return variables.length === 0 ? [] : keys.names.filter((name) => variables.includes(labelOf(name).variable));
}

/**
 * Sends each request with a token that has not ended, and waits for it where it is renewed. A request that is answered
 * with 401 is sent again if another token can be had: it was refused, so nothing changed. A 401 that belongs to the
 * operation is handed out: whether the token itself is accepted, reads show that it was good for before. The target is
 * given up when they are refused too and the token can't be renewed.
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

  /** What a 401 to a request means that did not go through the middleware. */
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

  /** Why a token can't be obtained; undefined once there is one that has not ended. */
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

/** True where there is another token than the one that was refused. */
async function isReplaced(watch: TokenWatch, token: LiveToken, used: string): Promise<boolean> {
  if (token.current !== used) return true;
  const meaning = await watch.explain();
  return meaning === 'renewed' || (meaning === 'operation' && token.current !== used);
}

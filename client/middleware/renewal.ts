import type { Exchange, TokenName } from '../../spec/index.ts';
import type { LiveToken } from '../credentials/live-token.ts';
import { methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec, Send } from '../request-spec.ts';
import { labelOf, variablesIn } from '../tokens.ts';
import type { KeyRing } from '../tokens.ts';
import { bearerOf, notSent } from './authentication.ts';
import type { Availability } from './availability.ts';
import type { Statistics } from './statistics.ts';

/** Reads that were answered to a token are remembered, so many of each, to ask whether it is still accepted. */
const REMEMBERED = 3;

/** A request may meet the end of more than one token. */
const MOST_ATTEMPTS = 3;

/** What a 401 means: it belongs to the operation, there is another token now, or the token is no longer accepted. */
export type Meaning = 'operation' | 'renewed' | 'refused';

/** Calls that come while one is under way share the next one: each call sees what happens after it came. */
function batched<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let following: Promise<T> | undefined;
  const start = (): Promise<T> => {
    const started = work().finally(() => {
      if (current === started) current = undefined;
    });
    current = started;
    return started;
  };
  return () => {
    if (current === undefined) return start();
    following ??= current
      .catch(() => undefined)
      .then(() => {
        following = undefined;
        return start();
      });
    return following;
  };
}

/** Watches one token: which reads it is good for, and what a 401 means. */
class TokenWatch {
  readonly explain: () => Promise<Meaning>;
  readonly #name: TokenName;
  readonly #token: LiveToken;
  readonly #send: Send;
  readonly #availability: Availability;
  readonly #reads = new Map<string, RequestSpec>();
  /** The token that was obtained because another was refused, until it is accepted. */
  #unproven: string | undefined;

  constructor(name: TokenName, token: LiveToken, send: Send, availability: Availability) {
    this.#name = name;
    this.#token = token;
    this.#send = send;
    this.#availability = availability;
    this.explain = batched(() => this.#explain());
  }

  /** Takes note of a response that shows that the token was accepted. */
  note(spec: RequestSpec, status: number, token: string): void {
    const isAccepted = (status >= 200 && status < 300) || status === 403;
    if (!isAccepted) return;
    if (token === this.#unproven) this.#unproven = undefined;
    if (methodOf(spec) !== 'GET' || spec.operation.effect !== 'read') return;
    this.#reads.delete(spec.operation.id);
    this.#reads.set(spec.operation.id, spec);
    if (this.#reads.size > REMEMBERED) this.#reads.delete(this.#reads.keys().next().value ?? '');
  }

  async #explain(): Promise<Meaning> {
    const refused = this.#token.current;
    const isAccepted = await this.#isAccepted();
    if (isAccepted === true) return 'operation';
    let why = 'and nothing renews it';
    if (this.#token.isRenewable && refused !== undefined) {
      if (refused === this.#unproven) why = 'although it was renewed';
      else {
        const renewed = await this.#renew(refused);
        if ('token' in renewed) return 'renewed';
        why = renewed.why;
      }
    }
    if (isAccepted === undefined) return 'operation';
    this.#lose(why);
    return 'refused';
  }

  async #renew(refused: string): Promise<{ readonly token: string } | { readonly why: string }> {
    try {
      const token = await this.#token.replacing(refused);
      if (token === undefined) return { why: 'and renewing it gave the same one' };
      this.#unproven = token;
      return { token };
    } catch (error) {
      return { why: `and could not be renewed: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  #lose(why: string): void {
    const { name, option, variable } = labelOf(this.#name);
    const { endsAt, isRenewable } = this.#token;
    const given = isRenewable ? '' : ` (${option} / ${variable})`;
    const ended = endsAt !== undefined && endsAt <= Date.now() ? `; it ended at ${new Date(endsAt).toISOString()}` : '';
    this.#availability.lose({
      code: 'token-refused',
      token: this.#name,
      message: `${name}${given} is no longer accepted (401), ${why.replace(/\.$/u, '')}${ended}`,
    });
  }

  /** Sends the remembered reads again: true as soon as one is not refused, undefined where none says anything. */
  async #isAccepted(): Promise<boolean | undefined> {
    let refusals = 0;
    for (const spec of [...this.#reads.values()].toReversed()) {
      const status = (await this.#send(spec)).response?.status;
      if (status === 401) refusals += 1;
      else if (status !== undefined && status !== 429 && status < 500) return true;
    }
    return refusals > 0 ? false : undefined;
  }
}

/** What the renewal works with. */
export interface RenewalParts {
  readonly keys: KeyRing;
  readonly availability: Availability;
  readonly statistics: Statistics;
}

/** The token of a request; none where the token, or its absence, is what the request is about. */
function tokenOf({ identity, authorization }: RequestSpec): TokenName | undefined {
  if (identity === undefined || identity === 'none' || identity === 'invalid' || identity === 'expired')
    return undefined;
  return authorization === bearerOf(identity) ? identity : undefined;
}

/** The tokens that a request names: its own, or those in a header that the caller wrote. */
function namedIn({ authorization = '' }: RequestSpec, keys: KeyRing): readonly TokenName[] {
  const variables = variablesIn(authorization);
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

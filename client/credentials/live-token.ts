import { tokenOfCommand } from './command.ts';
import { tokenOfFile } from './file.ts';
import { issued } from './issued.ts';
import type { IssuedToken } from './issued.ts';
import { tokenOfOAuth } from './oauth.ts';
import type { OAuthOptions } from './oauth.ts';
import type { TokenSource } from './source.ts';

/** A token is renewed when this share of its life is left, and at most this long before its end. */
const MARGIN = { share: 0.2, mostMs: 60_000 };

/** The shortest time between two renewals, also where they fail. */
const PAUSE_MS = 500;

/** How a token is called in messages, and what replaces it in all output. */
export interface TokenLabel {
  /** For example `the full token`. */
  readonly name: string;
  readonly variable: string;
}

/** A token that is obtained when it is first needed, and renewed before it ends. */
export class LiveToken {
  readonly #source: TokenSource;
  readonly #label: TokenLabel;
  readonly #options: OAuthOptions;
  readonly #earlier: string[] = [];
  readonly #listeners = new Set<(token: string) => void>();
  #current: IssuedToken | undefined;
  #renewing: Promise<IssuedToken> | undefined;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  constructor(source: TokenSource, label: TokenLabel, options: OAuthOptions) {
    this.#source = source;
    this.#label = label;
    this.#options = options;
    if (typeof source === 'string') this.#current = issued(source, undefined);
  }

  get isRenewable(): boolean {
    return typeof this.#source !== 'string';
  }

  /** What the source itself has to keep secret, and the names that replace it. */
  get secrets(): readonly (readonly [secret: string, variable: string])[] {
    const source = this.#source;
    if (typeof source === 'string' || !('tokenUrl' in source)) return [];
    const { clientSecret = '', password = '' } = source;
    const all = [
      [clientSecret, 'ASSAY_CLIENT_SECRET'],
      [password, 'ASSAY_PASSWORD'],
    ] as const;
    return all.filter(([secret]) => secret !== '');
  }

  /** The last one that was issued; undefined before the first. */
  get current(): string | undefined {
    return this.#current?.value;
  }

  /** When the current one ends, in milliseconds since the epoch, where that is known. */
  get endsAt(): number | undefined {
    return this.#current?.endsAt;
  }

  /** When {@link get} will renew it; undefined where nothing says when it ends. */
  get renewsAt(): number | undefined {
    if (this.#current?.endsAt === undefined || !this.isRenewable) return undefined;
    const { issuedAt, endsAt } = this.#current;
    const before = Math.min(MARGIN.mostMs, (endsAt - issuedAt) * MARGIN.share);
    return Math.max(endsAt - before, issuedAt + PAUSE_MS);
  }

  /** Calls the listener with every token, also those that were issued earlier. */
  listen(listener: (token: string) => void): void {
    this.#listeners.add(listener);
    for (const token of this.#earlier) listener(token);
    if (this.#current !== undefined) listener(this.#current.value);
  }

  /** A token that has not ended; one request at a time renews it. Rejects where the first can't be obtained. */
  async get(): Promise<string> {
    const current = this.#current;
    const isEnding = this.renewsAt !== undefined && Date.now() >= this.renewsAt;
    if (current !== undefined && !isEnding) return current.value;
    try {
      return (await this.#renew()).value;
    } catch (error) {
      if (current === undefined) throw error;
      // It may be accepted for a while; a refusal asks again.
      return current.value;
    }
  }

  /** Another token in place of one that was refused; undefined where there is only that one. */
  async replacing(refused: string): Promise<string | undefined> {
    if (this.#current !== undefined && this.#current.value !== refused) return this.#current.value;
    if (!this.isRenewable) return undefined;
    const { value } = await this.#renew();
    return value === refused ? undefined : value;
  }

  #renew(): Promise<IssuedToken> {
    const { error, at } = this.#failure ?? { at: -Infinity };
    if (Date.now() - at < PAUSE_MS) return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    this.#renewing ??= this.#issue()
      .then((token) => this.#keep(token))
      .catch((reason: unknown) => {
        this.#failure = { error: reason, at: Date.now() };
        throw reason;
      })
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  #keep(token: IssuedToken): IssuedToken {
    if (this.#current !== undefined) this.#earlier.push(this.#current.value);
    this.#current = token;
    this.#failure = undefined;
    for (const listener of this.#listeners) listener(token.value);
    return token;
  }

  #issue(): Promise<IssuedToken> {
    const source = this.#source;
    const { name } = this.#label;
    if (typeof source === 'string') return Promise.resolve(issued(source, undefined));
    if ('file' in source) return tokenOfFile(source, name);
    if ('command' in source) return tokenOfCommand(source, name);
    return tokenOfOAuth(source, name, this.#options);
  }
}

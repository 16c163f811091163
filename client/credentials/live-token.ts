import { tokenOfCommand } from './command.ts';
import { tokenOfFile } from './file.ts';
import { issued } from './issued.ts';
import type { IssuedToken } from './issued.ts';
import { tokenOfOAuth } from './oauth.ts';
import type { OAuthOptions } from './oauth.ts';
import type { TokenSource } from './source.ts';

/** A token is renewed when this share of its lifetime is left, and at most this long before it expires. */
const MARGIN = { share: 0.2, mostMs: 60_000 };

/** Minimum time between two renewals, including failed ones. */
const PAUSE_MS = 500;

/** The name of a token in messages, and its replacement in all output. */
export interface TokenLabel {
  /** For example `the full token`. */
  readonly name: string;
  readonly variable: string;
}

/** A token that is obtained when it is first needed, and renewed before it expires. */
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

  /** Secrets of the source itself, and the names that replace them. */
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

  /** The token issued last; undefined before the first. */
  get current(): string | undefined {
    return this.#current?.value;
  }

  /** When the current token expires, in milliseconds since the epoch, if known. */
  get endsAt(): number | undefined {
    return this.#current?.endsAt;
  }

  /** When {@link get} will renew it; undefined if the expiry is not known. */
  get renewsAt(): number | undefined {
    if (this.#current?.endsAt === undefined || !this.isRenewable) return undefined;
    const { issuedAt, endsAt } = this.#current;
    const before = Math.min(MARGIN.mostMs, (endsAt - issuedAt) * MARGIN.share);
    return Math.max(endsAt - before, issuedAt + PAUSE_MS);
  }

  /** Calls the listener with every token, including those issued earlier. */
  listen(listener: (token: string) => void): void {
    this.#listeners.add(listener);
    for (const token of this.#earlier) listener(token);
    if (this.#current !== undefined) listener(this.#current.value);
  }

  /** A token that has not expired; only one renewal runs at a time. Rejects if the first token cannot be obtained. */
  async get(): Promise<string> {
    const current = this.#current;
    const isEnding = this.renewsAt !== undefined && Date.now() >= this.renewsAt;
    if (current !== undefined && !isEnding) return current.value;
    try {
      return (await this.#renew()).value;
    } catch (error) {
      if (current === undefined) throw error;
      // The old token may still be accepted; if it is refused, it is renewed again.
      return current.value;
    }
  }

  /** A new token for one that was refused; undefined if the source has no other. */
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

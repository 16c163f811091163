import { lossError } from '../client/index.ts';
import type { Target } from '../client/index.ts';
import type { AssayError, Redactor } from '../spec/index.ts';

/** The full token while load is applied: the requests carry it outside of the client's pipeline. */
export interface TokenRenewal {
  /** Undefined before {@link TokenRenewal.get} was called. */
  readonly current: string | undefined;
  /** When {@link TokenRenewal.get} will renew it (milliseconds since the epoch); undefined: never by itself. */
  readonly renewsAt: number | undefined;
  get(): Promise<string>;
  /** What a 401 means; a token that was refused is renewed if it can be. */
  explain(): Promise<'operation' | 'renewed' | 'refused'>;
  /** Why the token is no longer accepted; undefined while it is. */
  readonly lost: AssayError | undefined;
  /** Replaces every token that was issued, and other secrets. */
  readonly redactor: Redactor;
}

/** The full token of a target; undefined where it has none. */
export function renewalOf(target: Target): TokenRenewal | undefined {
  const token = target.keys.get('full');
  if (token === undefined) return undefined;
  return {
    get current() {
      return token.current;
    },
    get renewsAt() {
      return token.renewsAt;
    },
    get: () => token.get(),
    explain: () => target.explain('full'),
    get lost() {
      return target.lost === undefined ? undefined : lossError(target.lost);
    },
    redactor: target.keys.redactor,
  };
}

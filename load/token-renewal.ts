import { lossError } from '../client/index.ts';
import type { Target } from '../client/index.ts';
import type { AssayError } from '../spec/index.ts';

/** The full token during a run, for requests that do not go through the pipeline of the client. */
export interface TokenRenewal {
  /** Undefined before the first call of {@link TokenRenewal.get}. */
  readonly current: string | undefined;
  /** Time at which {@link TokenRenewal.get} renews it, in milliseconds since the epoch; undefined: never. */
  readonly renewsAt: number | undefined;
  get(): Promise<string>;
  /** Finds the reason of a 401: the operation, or the token, which is then renewed if possible. */
  explain(): Promise<'operation' | 'renewed' | 'refused'>;
  /** Why the token is no longer accepted; undefined if it is. */
  readonly lost: AssayError | undefined;
}

/** The full token of a target; undefined if it has none. */
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
  };
}

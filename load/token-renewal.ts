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

/** What a token keeper tells the workers. */
export interface TokenChanges {
  readonly replace: (from: string, to: string) => void;
  /** 401 belongs to the operations: it counts as a failure from now on. */
  readonly countRefusals: () => void;
  /** Nothing renews the token: the run is over. */
  readonly lost: (error: AssayError) => void;
}

const RETRY_MS = 1_000;

/** Keeps the token of running workers fresh, until `stop`. */
export interface TokenKeeper {
  /** A worker was answered with 401. */
  refused(): void;
  stop(): void;
}

/** Renews the token before it ends, and once where it is refused. `sent` is the one that the workers began with. */
export function keepToken(sent: string, renewal: TokenRenewal, changes: TokenChanges): TokenKeeper {
  let used = sent;
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  let explaining = false;

  const arm = (ms: number): void => {
    clearTimeout(timer);
    if (!over) timer = setTimeout(refresh, ms).unref();
  };
  const use = (token: string): void => {
    if (over) return;
    if (token !== used) changes.replace(used, token);
    used = token;
    if (renewal.renewsAt !== undefined) arm(Math.max(RETRY_MS / 10, renewal.renewsAt - Date.now()));
  };
  const refresh = (): void => {
    renewal.get().then(use, () => arm(RETRY_MS));
  };
  const explain = async (): Promise<void> => {
    const meaning = await renewal.explain();
    if (meaning === 'renewed' || renewal.current !== used) use(renewal.current ?? used);
    else if (renewal.lost === undefined) changes.countRefusals();
    if (renewal.lost !== undefined && !over) changes.lost(renewal.lost);
  };

  refresh();
  return {
    refused() {
      if (explaining || over) return;
      explaining = true;
      void explain()
        .catch(() => undefined)
        .finally(() => {
          explaining = false;
        });
    },
    stop() {
      over = true;
      clearTimeout(timer);
    },
  };
}

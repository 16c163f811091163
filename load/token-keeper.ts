import type { AssayError } from '../spec/index.ts';
import type { TokenRenewal } from './token-renewal.ts';

/** Messages of a token keeper to the workers. */
export interface TokenChanges {
  readonly replace: (from: string, to: string) => void;
  /** The token is valid: from now on, 401 counts as a failure. */
  readonly countRefusals: () => void;
  /** The token cannot be renewed: the run is over. */
  readonly lost: (error: AssayError) => void;
}

const RETRY_MS = 1_000;
/** A timer cannot be longer: it would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Renews the token of running workers, until `stop`. */
export interface TokenKeeper {
  /** A worker received 401. */
  refused(): void;
  stop(): void;
}

/** Renews the token before it expires, and when it is refused. @param sent the token of the workers at the start */
export function keepToken(sent: string, renewal: TokenRenewal, changes: TokenChanges): TokenKeeper {
  let used = sent;
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  let explaining = false;

  const arm = (ms: number): void => {
    clearTimeout(timer);
    if (!over) timer = setTimeout(refresh, Math.min(ms, LONGEST_MS)).unref();
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

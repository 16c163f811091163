import type { AssayError } from '../spec/index.ts';
import type { TokenRenewal } from './token-renewal.ts';

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

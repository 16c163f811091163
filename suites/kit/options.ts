import { defined } from '../../spec/defined.ts';
import { connectionOf } from '../../client/index.ts';
import type { Connection, TargetOptions, Tokens } from '../../client/index.ts';
import type { Fixtures } from '../../domain/index.ts';
import type { Effect } from '../../spec/index.ts';

/** Folders of test files, as `--only` and `--skip` name them, and what they test. */
export const SUITES_ABOUT = {
  contract: 'single documented statements: statuses, bodies, forms, paging, filters, tokens and permissions',
  properties: 'generated valid, invalid and boundary requests',
  state: 'sequences of calls, overlapping calls, jobs, policies and what is stored',
  snapshot: 'what the document does not state, with --snapshot and --update-snapshot',
} as const;

export const SUITES = Object.keys(SUITES_ABOUT) as readonly (keyof typeof SUITES_ABOUT)[];

/** How much a run tests. */
export interface Depth {
  /** Cases per property. */
  readonly runs: number;
  /** Time for a run against a deployment, in milliseconds; left out: as long as it takes. The embedded service has no limit. */
  readonly budgetMs?: number;
}

/** How much a run tests, by the name of its depth. */
export const DEPTHS = {
  quick: { runs: 10, budgetMs: 30_000 },
  standard: { runs: 50, budgetMs: 120_000 },
  thorough: { runs: 200 },
} as const satisfies Readonly<Record<string, Depth>>;

/** Reason of a skipped test that would have run, where only a plan is wanted. */
export const PLANNED = 'planned';

/** The file of the contract, beside that of the options. */
export const contractFileOf = (optionsFile: string): string => `${optionsFile}.contract`;

/** The file that appears beside that of the options once the run is interrupted. */
export const interruptFileOf = (optionsFile: string): string => `${optionsFile}.interrupt`;

/** The options of a run of the suites. Serialisable: it is passed from the command to Vitest's worker. */
export interface SuiteRunOptions extends Connection {
  readonly baseUrl: string;
  readonly tokens: Tokens;
  /** File or URL of another description; left out: the one that Assay brings. */
  readonly specSource?: string;
  /** File with the contract, packed by the process that loaded it; left out: the worker loads the description. */
  readonly contractFile?: string;
  /** Set where the paths follow the base URL directly, without the prefix of the description's servers. */
  readonly withoutServers?: boolean;
  /** Path of a module that exports `knowledge`, a `CreateKnowledge`; default: the knowledge that fits the description. */
  readonly knowledge?: string;
  /** Values that only the tenant knows. */
  readonly fixtures?: Fixtures;
  /** Skip every test that would run, to find out which those are. */
  readonly planOnly?: boolean;
  readonly embedded: boolean;
  readonly allow: readonly Effect[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Names of tests that failed in an earlier run, which run before the others. */
  readonly failedBefore?: readonly string[];
  readonly seed: number;
  /** Generated cases per property. */
  readonly runs: number;
  /** How long a change may take to become visible, in milliseconds. */
  readonly settleMs: number;
  readonly strict: boolean;
  readonly shard?: { readonly index: number; readonly total: number };
  /** In the replay of a finding that shows only later: milliseconds between the last change and a read. */
  readonly pauseMs?: number;
  /** Path of a counterexample to replay. */
  readonly path?: string;
  /** Most milliseconds that the run may take, with the removal of what it created. */
  readonly maxTimeMs?: number;
  /** When the run began, in milliseconds since 1970; left out: when the suites do. */
  readonly beganAt?: number;
  /** Where the journal lives; left out: the user's state folder. */
  readonly journalDir?: string;
  /** The snapshot of undocumented behavior that is recorded or compared with. */
  readonly snapshot?: { readonly file: string; readonly mode: 'record' | 'compare' };
  /** Tags everything that the run creates; short, lower-case letters and digits. */
  readonly runId: string;
  /** Milliseconds that a request may take. */
  readonly timeoutMs?: number;
  /** Most requests per second, all senders together. */
  readonly maxRate?: number;
  /** Most requests of one operation in the run; what would need more is skipped, with that reason. */
  readonly maxRequests?: number;
  /** How long requests are retried in all where the target answers 429 or 503, in milliseconds. */
  readonly retry?: { readonly patienceMs: number };
}

/** The part of the options that concerns the connection. */
export function targetOptionsOf(options: SuiteRunOptions): TargetOptions {
  return {
    ...connectionOf(options),
    baseUrl: options.baseUrl,
    tokens: options.tokens,
    ...defined({ timeoutMs: options.timeoutMs, retry: options.retry, maxRate: options.maxRate }),
  };
}

/** Milliseconds that are reserved for the clean-up and the reports, and the largest share of the run that they may be. */
const CLEAN_UP = { ms: 6_000, share: 0.15 };

/** When the tests of a run have to end, in milliseconds since it began; undefined for never. */
export function testsEndAfter({ maxTimeMs }: Pick<SuiteRunOptions, 'maxTimeMs'>): number | undefined {
  return maxTimeMs === undefined ? undefined : maxTimeMs - Math.min(CLEAN_UP.ms, maxTimeMs * CLEAN_UP.share);
}

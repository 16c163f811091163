import type { ConfiguredSecret, ConfiguredSource } from './options/auth.ts';
import type { OptionName, ValueOf } from './options/table.ts';

// Not by the index of the folder, since the package has the declarations that these types need.
export type { DataRow, FlowRequest, FlowResponse, FlowScenario, FlowStage, Session } from '../load/flow/types.ts';
export type { PreparedScenario, Scenario, ScenarioContext, ScenarioRequest } from '../load/scenarios/scenario.ts';

type FlagOnly =
  | 'path'
  | 'header'
  | 'credential'
  | 'updateBaseline'
  | 'config'
  | 'compare'
  | 'json'
  | 'list'
  | 'open'
  | 'ci';

type FileOnly = 'headers' | 'bases' | 'fixtures';

export type { Fixtures } from '../domain/fixtures.ts';

/** How a configuration file may write a value: as its type, or as on the command line. */
type Written<T> = T extends boolean
  ? boolean
  : T extends number
    ? number | string
    : T extends readonly (infer Item)[]
      ? readonly Item[] | string
      : string;

/** Keys whose values have several forms. */
interface Structured {
  /** Where the full and the limited token come from. */
  readonly auth?: { readonly full?: ConfiguredSource; readonly limited?: ConfiguredSource };
  /** Secrets of the security schemes of the description, by their names. */
  readonly credentials?: Readonly<Record<string, ConfiguredSecret>>;
  /** Tokens that carry one permission each, and that of another tenant. */
  readonly tokens?: {
    readonly otherTenant?: ConfiguredSource;
    readonly [permission: `RACI:${string}`]: ConfiguredSource;
  };
}

/** What `assay.config.ts` exports: the options of the command line as keys, and keys with structured values. */
export type AssayConfig = {
  readonly [K in Exclude<OptionName, FlagOnly | FileOnly | keyof Structured>]?: Written<NonNullable<ValueOf<K>>>;
} & { readonly [K in FileOnly]?: ValueOf<K> } & Structured;

/** Returns the configuration as it is; only its type is checked. */
export function defineConfig(config: AssayConfig): AssayConfig {
  return config;
}

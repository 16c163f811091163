import type { OptionName, ValueOf } from './options/table.ts';

export type { PreparedScenario, Scenario, ScenarioContext, ScenarioRequest } from '../load/index.ts';

type FlagOnly = 'path' | 'header' | 'updateBaseline' | 'config' | 'compare' | 'json' | 'list';

type FileOnly = 'headers' | 'bases' | 'fixtures';

export type { Fixtures } from '../domain/fixtures.ts';

/** How a configuration file may write a value; texts as on the command line do too. */
type Written<T> = T extends boolean
  ? boolean
  : T extends number
    ? number | string
    : T extends readonly (infer Item)[]
      ? readonly Item[] | string
      : string;

/** What `assay.config.ts` exports; every key but those of the second part is an option of the command line. */
export type AssayConfig = {
  readonly [K in Exclude<OptionName, FlagOnly | FileOnly>]?: Written<NonNullable<ValueOf<K>>>;
} & { readonly [K in FileOnly]?: ValueOf<K> };

/** Gives a configuration its types; the value stays as it is. */
export function defineConfig(config: AssayConfig): AssayConfig {
  return config;
}

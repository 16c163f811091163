import type { OptionName } from './table.ts';

/** Where a value came from, and how to call it when it is wrong. */
export interface Given {
  readonly texts: readonly string[];
  /** For example `--base-url`, `ASSAY_BASE_URL in .env` or `baseUrl in assay.config.ts`. */
  readonly thing: string;
}

/** One place that sets options: the command line, the environment or a file. */
export type Source = ReadonlyMap<OptionName, Given>;

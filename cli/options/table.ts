import { fleetOptions } from './fleet.ts';
import { loadOptions } from './load.ts';
import { outputOptions } from './output.ts';
import { runOptions } from './run.ts';
import { serveOptions } from './serve.ts';
import { targetOptions } from './target.ts';
import type { OptionSpec } from './spec.ts';

/** Every option. Flags, environment variables, configuration keys, help and validation follow from this table. */
export const OPTIONS = {
  ...targetOptions,
  ...runOptions,
  ...outputOptions,
  ...serveOptions,
  ...loadOptions,
  ...fleetOptions,
};

const HEADINGS: readonly (readonly [heading: string, options: object])[] = [
  ['Target:', targetOptions],
  ['Selection:', runOptions],
  ['Load:', loadOptions],
  ['Fleet:', fleetOptions],
  ['Service:', serveOptions],
  ['Output:', outputOptions],
];

export type OptionName = keyof typeof OPTIONS;

export type ValueOf<N extends OptionName> = (typeof OPTIONS)[N] extends OptionSpec<infer T> ? T : never;

/** The values of some options, after flags, environment, file and defaults. */
export type Settings<N extends OptionName> = { readonly [K in N]: ValueOf<K> };

export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[];

export function headingOf(name: OptionName): string {
  return HEADINGS.find(([, options]) => Object.hasOwn(options, name))?.[0] ?? 'Options:';
}

export function optionSpec(name: OptionName): OptionSpec<unknown> {
  return OPTIONS[name];
}

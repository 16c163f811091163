import { OPTIONS, optionSpec } from './table.ts';
import type { OptionName, Settings } from './table.ts';
import type { OptionSpec } from './spec.ts';
import type { Problem } from '../problems.ts';

/** The value of an option in one source, and the name for messages. */
export interface Given {
  readonly texts: readonly string[];
  /** For example `--base-url`, `ASSAY_BASE_URL in .env` or `baseUrl in assay.config.ts`. */
  readonly subject: string;
}

/** One source of options: the command line, the environment or a file. */
export type Source = ReadonlyMap<OptionName, Given>;

const shown = (given: Given, { secret, hidden, fileOnly }: OptionSpec<unknown>): string => {
  const value = given.texts.join(',');
  const isShown = secret !== true && hidden !== true && fileOnly !== true && value !== '';
  return isShown ? `${given.subject} ${JSON.stringify(value)}` : given.subject;
};

function valueOf(name: OptionName, sources: readonly Source[], problems: Problem[]): unknown {
  const spec = optionSpec(name);
  const given = sources.map((source) => source.get(name)).find((found) => found !== undefined);
  if (given === undefined) return spec.fallback;
  const parsed = spec.kind.parse(given.texts);
  if ('value' in parsed) return parsed.value;
  problems.push({ subject: shown(given, spec), message: parsed.message, hint: parsed.hint });
  return spec.fallback;
}

/** Values of some options: the first source that sets one wins; an invalid one becomes a problem, and the default its value. */
export function resolve<N extends OptionName>(
  names: readonly N[],
  sources: readonly Source[],
  problems: Problem[],
): Settings<N> {
  const entries = names.map((name) => [name, valueOf(name, sources, problems)] as const);
  return Object.fromEntries(entries) as Settings<N>;
}

/** Names of the options whose values are secrets. */
export const SECRET_OPTIONS: readonly OptionName[] = (Object.keys(OPTIONS) as OptionName[]).filter(
  (name) => optionSpec(name).secret === true,
);

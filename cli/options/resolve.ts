import { OPTIONS, optionSpec } from './table.ts';
import type { OptionName, Settings } from './table.ts';
import type { Problem } from '../problems.ts';
import type { Given, Source } from './sources.ts';

const shown = (given: Given, secret: boolean): string => {
  const value = given.texts.join(',');
  return secret || value === '' ? given.thing : `${given.thing} ${JSON.stringify(value)}`;
};

function valueOf(name: OptionName, sources: readonly Source[], problems: Problem[]): unknown {
  const spec = optionSpec(name);
  const given = sources.map((source) => source.get(name)).find((found) => found !== undefined);
  if (given === undefined) return spec.fallback;
  const parsed = spec.kind.parse(given.texts);
  if ('value' in parsed) return parsed.value;
  problems.push({ thing: shown(given, spec.secret === true), wrong: parsed.wrong, mend: parsed.mend });
  return spec.fallback;
}

/**
 * The values of some options out of all sources, the first source that sets one wins. What is wrong is added to
 * `problems`, and the default stands in its place.
 */
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

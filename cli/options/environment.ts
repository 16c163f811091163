import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { OPTION_NAMES, optionSpec } from './table.ts';
import { variableOf } from './spec.ts';
import type { OptionName } from './table.ts';
import type { Given, Source } from './sources.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** What `.env` in a directory sets; nothing where there is none. */
export function readDotEnv(directory: string): Variables {
  const file = join(directory, '.env');
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

function given(name: OptionName, variables: Variables, dotEnv: Variables): Given | undefined {
  const variable = variableOf(name);
  if (variables[variable]) return { texts: [variables[variable]], thing: variable };
  if (variables[variable] === undefined && dotEnv[variable])
    return { texts: [dotEnv[variable]], thing: `${variable} in .env` };
  return undefined;
}

/** Options out of the environment, then out of `.env`. An empty variable counts as not set. */
export function environmentSource(variables: Variables, dotEnv: Variables): Source {
  const source = new Map<OptionName, Given>();
  for (const name of OPTION_NAMES) {
    const found = optionSpec(name).flagOnly === true ? undefined : given(name, variables, dotEnv);
    if (found) source.set(name, found);
  }
  return source;
}

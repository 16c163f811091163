import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { OPTION_NAMES, optionSpec } from './table.ts';
import { variableOf } from './spec.ts';
import type { OptionName } from './table.ts';
import type { Given, Source } from './resolve.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of `.env` in a directory; none where there is no such file. */
export function readDotEnv(directory: string): Variables {
  const file = join(directory, '.env');
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
}

function given(name: OptionName, variables: Variables, dotEnv: Variables): Given | undefined {
  const variable = variableOf(name);
  if (variables[variable]) return { texts: [variables[variable]], subject: variable };
  if (variables[variable] === undefined && dotEnv[variable])
    return { texts: [dotEnv[variable]], subject: `${variable} in .env` };
  return undefined;
}

/** Options of the environment, then of `.env`. An empty variable counts as not set. */
export function environmentSource(variables: Variables, dotEnv: Variables): Source {
  const source = new Map<OptionName, Given>();
  for (const name of OPTION_NAMES) {
    const { flagOnly, fileOnly } = optionSpec(name);
    const found = flagOnly === true || fileOnly === true ? undefined : given(name, variables, dotEnv);
    if (found) source.set(name, found);
  }
  return source;
}

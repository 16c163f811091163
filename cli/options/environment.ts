import { OPTION_NAMES, optionSpec } from './table.ts';
import { variableOf } from './spec.ts';
import type { Variables } from '../dot-env.ts';
import type { OptionName } from './table.ts';
import type { Given, Source } from './resolve.ts';

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

import leven from 'leven';
import { nearest } from '../../spec/nearest.ts';
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

const PREFIX = 'ASSAY_';
const VARIABLES: readonly string[] = OPTION_NAMES.filter((name) => {
  const { flagOnly, fileOnly } = optionSpec(name);
  return flagOnly !== true && fileOnly !== true;
}).map(variableOf);

/** More edits make another word: `TOKEN_FILE` is no `TOKEN_URL`. */
const MOST_EDITS = 2;

/** Warnings of variables that have no effect and are a typing error away from one that has: a pipeline may have others of its own. */
export function variableWarnings(variables: Variables, dotEnv: Variables): readonly string[] {
  const known = VARIABLES.map((name) => name.slice(PREFIX.length));
  return [
    ...Object.keys(variables).map((name) => [name, name] as const),
    ...Object.keys(dotEnv).map((name) => [name, `${name} in .env`] as const),
  ].flatMap(([name, subject]) => {
    const word = name.slice(PREFIX.length);
    if (!name.startsWith(PREFIX) || known.includes(word) || known.includes(word.replace(/_?\d+$/u, ''))) return [];
    const [near] = nearest(word, known).filter((each) => each[0] === word[0] && leven(each, word) <= MOST_EDITS);
    return near === undefined ? [] : [`Warning: ${subject} has no effect (did you mean ${PREFIX}${near}?)`];
  });
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

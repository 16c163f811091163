import { createRedactor } from '../../spec/index.ts';
import type { Redactor } from '../../spec/index.ts';
import { TOKEN_KEYS, TOKEN_NAMES } from './tokens.ts';
import type { Tokens } from './tokens.ts';

/** Replaces the tokens of a target by the names of their variables. */
export function redactorOf(tokens: Tokens): Redactor {
  return createRedactor(
    new Map(
      TOKEN_KEYS.flatMap((name) => {
        const token = tokens[name];
        return token === undefined ? [] : [[token, `$${TOKEN_NAMES[name].variable}`] as const];
      }),
    ),
  );
}

import type { OAuthSource, Tokens, TokenSource } from '../../client/index.ts';
import { defined } from '../defined.ts';
import { flagOf, variableOf } from '../options/spec.ts';
import type { OptionName, Settings } from '../options/table.ts';
import { refuse } from '../problems.ts';
import type { Problem } from '../problems.ts';

const OF_THE_ENDPOINT = ['clientId', 'clientSecret', 'username', 'password', 'scope'] as const;

/** Settings that say where tokens come from. */
export type TokenSettings = Settings<
  | 'token'
  | 'limitedToken'
  | 'expiredToken'
  | 'tokenCommand'
  | 'limitedTokenCommand'
  | 'tokenUrl'
  | 'auth'
  | 'tokens'
  | (typeof OF_THE_ENDPOINT)[number]
>;

const named = (option: OptionName): string => `${flagOf(option)} / ${variableOf(option)}`;

function oauthOf(settings: TokenSettings, problems: Problem[]): OAuthSource | undefined {
  const { tokenUrl, clientId, clientSecret, username, password, scope } = settings;
  if (tokenUrl === undefined) {
    const [lone] = OF_THE_ENDPOINT.filter((name) => settings[name] !== undefined);
    if (lone !== undefined)
      problems.push({
        subject: variableOf(lone),
        message: 'is for a token endpoint',
        hint: `add ${named('tokenUrl')}`,
      });
    return undefined;
  }
  if (clientId === undefined)
    problems.push({ subject: named('tokenUrl'), message: 'needs a client', hint: `add ${named('clientId')}` });
  return { tokenUrl, clientId: clientId ?? '', ...defined({ clientSecret, username, password, scope }) };
}

function one(
  given: Partial<Record<OptionName, TokenSource | undefined>>,
  otherwise: TokenSource | undefined,
  problems: Problem[],
): TokenSource | undefined {
  const known = Object.entries(given).filter(([, source]) => source !== undefined) as [OptionName, TokenSource][];
  if (known.length > 1)
    problems.push({
      subject: known.map(([name]) => named(name)).join(' and '),
      message: 'exclude each other',
      hint: 'leave all but one out; an empty variable counts as not set',
    });
  return known[0]?.[1] ?? otherwise;
}

/** The tokens of the settings, or where they come from. What contradicts itself is an error (exit code 2). */
export function tokensOf(settings: TokenSettings): Tokens {
  const problems: Problem[] = [];
  const { token, tokenCommand, limitedToken, limitedTokenCommand, expiredToken, auth, tokens } = settings;
  const { otherTenant, ...permissions } = tokens;
  const commandOf = (command: string | undefined): TokenSource | undefined => command && { command };
  const full = one(
    { token, tokenCommand: commandOf(tokenCommand), tokenUrl: oauthOf(settings, problems) },
    auth.full,
    problems,
  );
  const limited = one({ limitedToken, limitedTokenCommand: commandOf(limitedTokenCommand) }, auth.limited, problems);
  refuse(problems);
  return {
    ...defined({ full, limited, expired: expiredToken, otherTenant }),
    ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
  };
}

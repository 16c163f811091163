import { credentialVariable, wantedOf } from '../../client/index.ts';
import type { OAuthSource, Tokens, TokenSource } from '../../client/index.ts';
import { describeScheme, isObject, schemesOf, tokenUrlsOf } from '../../spec/index.ts';
import type { Contract } from '../../spec/index.ts';
import { defined } from '../../spec/defined.ts';
import { readDotEnv } from '../dot-env.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { tokenUrl as tokenUrlKind } from '../options/auth.ts';
import { flagOf, variableOf } from '../options/spec.ts';
import type { OptionName, Settings } from '../options/table.ts';
import { refuse } from '../problems.ts';
import type { Problem } from '../problems.ts';
import type { Advice } from './connection.ts';

const OF_THE_ENDPOINT = ['clientId', 'clientSecret', 'username', 'password', 'scope'] as const;

type EndpointSettings = Settings<'baseUrl' | 'tokenUrl' | (typeof OF_THE_ENDPOINT)[number]>;

export type TokenSettings = Settings<
  | 'baseUrl'
  | 'token'
  | 'limitedToken'
  | 'expiredToken'
  | 'tokenCommand'
  | 'limitedTokenCommand'
  | 'tokenUrl'
  | 'auth'
  | 'tokens'
  | 'credential'
  | 'credentials'
  | (typeof OF_THE_ENDPOINT)[number]
>;

const named = (option: OptionName): string => `${flagOf(option)} / ${variableOf(option)}`;

/** The token endpoint of the settings, else the description's only one for the grant. `lone` is an option that needs it. */
function endpointOf(
  { tokenUrl, baseUrl, username }: EndpointSettings,
  lone: OptionName,
  { document }: Contract,
  problems: Problem[],
): string | undefined {
  if (tokenUrl !== undefined) return tokenUrl;
  const base = `${baseUrl}/`;
  const [url, ...others] = tokenUrlsOf(document, username === undefined ? 'clientCredentials' : 'password').map(
    (each) => (URL.canParse(each, base) ? new URL(each, base).href : each),
  );
  const add = `add ${named('tokenUrl')}`;
  if (url === undefined) {
    const basic = 'for HTTP Basic set ASSAY_CREDENTIAL_NAME with the name of the security scheme';
    problems.push({ subject: named(lone), message: 'is for a token endpoint', hint: `${add}; ${basic}` });
  } else if (others.length > 0) {
    const hint = `${add} with one of ${[url, ...others].join(', ')}`;
    problems.push({ subject: named(lone), message: 'is for one of several token endpoints of the description', hint });
  } else {
    const checked = tokenUrlKind.parse([url]);
    if ('value' in checked) return url;
    problems.push({ subject: `the token endpoint of the description, ${url},`, ...checked });
  }
  return undefined;
}

function oauthOf(settings: EndpointSettings, contract: Contract, problems: Problem[]): OAuthSource | undefined {
  const { clientId, clientSecret, username, password, scope } = settings;
  const [lone] = OF_THE_ENDPOINT.filter((name) => settings[name] !== undefined);
  if (lone === undefined && settings.tokenUrl === undefined) return undefined;
  const tokenUrl = endpointOf(settings, lone ?? 'tokenUrl', contract, problems);
  if (tokenUrl === undefined) return undefined;
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
      message: 'cannot be combined',
      hint: 'use only one of them; an empty variable counts as not set',
    });
  return known[0]?.[1] ?? otherwise;
}

/** Variables of secrets: the name of the security scheme follows the prefix. */
const CREDENTIAL = /^ASSAY_CREDENTIAL_./u;

/** Secrets of security schemes by their variables: of flags, before the environment, `.env` and the file. */
function credentialsOf({ credential, credentials }: TokenSettings): Readonly<Record<string, string>> {
  const byVariable = (given: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(given).map(([name, secret]) => [credentialVariable(name), secret]));
  const variables = Object.entries({ ...readDotEnv(process.cwd()), ...process.env });
  const environment = variables.flatMap(([name, value = '']) =>
    CREDENTIAL.test(name) && value !== '' ? [[name, value] as const] : [],
  );
  return { ...byVariable(credentials), ...Object.fromEntries(environment), ...byVariable(credential) };
}

/** Names of the security schemes that the description declares, also those that nothing requires. */
function declaredSchemes({ components }: Contract['document']): readonly string[] {
  const schemes = isObject(components) ? components['securitySchemes'] : undefined;
  return Object.keys(isObject(schemes) ? schemes : {});
}

/** Each given secret must belong to a security scheme, so that a misspelled name is not ignored. */
export function refuseUnknownCredentials(
  { credential, credentials }: Pick<TokenSettings, 'credential' | 'credentials'>,
  { operations, document }: Contract,
): void {
  const schemes = schemesOf(operations);
  const known = schemes.map(({ name }) => name);
  const unknown = Object.keys({ ...credentials, ...credential }).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const subject = '--credential or credentials';
  if (declaredSchemes(document).includes(unknown)) {
    const hint = 'name it in the security of the description or of its operations, or send it with --header';
    refuse([{ subject, message: `names ${unknown}, which no operation of the description requires`, hint }]);
  }
  const message = `names ${unknown}, which is not a security scheme of the description`;
  const all = known.length === 0 ? 'the description declares none' : `use ${schemes.map(describeScheme).join(', ')}`;
  refuse([{ subject, message, hint: didYouMean(unknown, known) || all }]);
}

/** Security schemes that operations are called without, because their secrets were not given. */
export function missingSecrets({ full, credentials = {} }: Tokens, { operations }: Contract): readonly Advice[] {
  const keys = {
    has: (name: string): boolean => name === 'full' && full !== undefined,
    hasCredential: (name: string): boolean => credentials[credentialVariable(name)] !== undefined,
  };
  const declared = operations.filter(({ security }) => security !== undefined);
  const missing = declared.flatMap((operation) => wantedOf(operation, keys).missing);
  return schemesOf([{ security: [missing] }]).map((scheme) => ({
    message: `no credential for ${describeScheme(scheme)}, which operations require`,
    hint: `set ${scheme.takesToken ? variableOf('token') : credentialVariable(scheme.name)}`,
  }));
}

/** The tokens of the settings. Throws an {@link AssayError} (exit 2) for contradicting settings. */
export function tokensOf(settings: TokenSettings, contract: Contract): Tokens {
  const problems: Problem[] = [];
  const { token, tokenCommand, limitedToken, limitedTokenCommand, expiredToken, auth, tokens } = settings;
  const { otherTenant, ...permissions } = tokens;
  const commandOf = (command: string | undefined): TokenSource | undefined => command && { command };
  const full = one(
    { token, tokenCommand: commandOf(tokenCommand), tokenUrl: oauthOf(settings, contract, problems) },
    auth.full,
    problems,
  );
  const limited = one({ limitedToken, limitedTokenCommand: commandOf(limitedTokenCommand) }, auth.limited, problems);
  refuse(problems);
  return {
    ...defined({ full, limited, expired: expiredToken, otherTenant }),
    ...Object.fromEntries(
      Object.entries({ permissions, credentials: credentialsOf(settings) }).filter(
        ([, map]) => Object.keys(map).length > 0,
      ),
    ),
  };
}

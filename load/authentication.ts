import type { Target } from '../client/index.ts';
import { alternativesOf, credentialsFor, secretHeaders, usualIdentity, withSecretQuery } from '../client/security.ts';
import type { Credential } from '../client/security.ts';
import type { Operation, Redactor } from '../spec/index.ts';
import type { LoadTarget } from './target.ts';

/** Authentication, as the description declares it, of requests that do not go through the pipeline of the client. */
export interface LoadAuthentication {
  /** The credentials of an operation, with names of variables instead of the secrets. */
  readonly credentials: (operation: Operation) => readonly Credential[];
  /** The same with {@link GIVEN_TOKEN} in the place of a token. */
  readonly given: (operation: Operation) => readonly Credential[];
  /** Replaces the names of variables by the secrets. */
  readonly fill: (text: string) => string;
  /** Replaces all secrets by the names of variables. */
  readonly redactor: Redactor;
}

/** Stands for a token that a flow gives. */
export const GIVEN_TOKEN = '$ASSAY_TOKEN';

/** The credentials with a given token: it is the secret of the scheme that takes tokens, or else of the first one. */
function givenFor(operation: Operation, keys: Target['keys']): readonly Credential[] {
  const all = alternativesOf(operation);
  const name = (all.flat().find(({ takesToken }) => takesToken) ?? all[0]?.[0])?.name;
  const security = all
    .map((schemes) => schemes.map((each) => ({ ...each, takesToken: each.name === name })))
    .filter((schemes) => schemes.some(({ takesToken }) => takesToken));
  const known = { has: () => true, hasCredential: (of: string) => of !== name && keys.hasCredential(of) };
  return credentialsFor({ security }, usualIdentity(operation), known) ?? [];
}

/** Authenticates as the client of a target does. */
export function authenticationOf({ keys }: Target): LoadAuthentication {
  return {
    credentials: (operation) => credentialsFor(operation, usualIdentity(operation), keys) ?? [],
    given: (operation) => givenFor(operation, keys),
    fill: (text) => keys.fillIn(text),
    redactor: keys.redactor,
  };
}

export interface RequestSecrets {
  /** True if the token of the run goes into the Authorization header, where it can be renewed. */
  readonly sendsToken: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly target: (path: string) => string;
}

/** The cookie that every request of a run carries. */
export function cookieOf(headers: LoadTarget['headers'] = {}): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'cookie')?.[1];
}

function isToken({ kind, secret }: Credential): boolean {
  return kind === 'bearer' && secret === '$ASSAY_TOKEN';
}

/** The authentication of requests of an operation. @param shown with the names of variables instead of the secrets */
export function secretsOf(
  { authentication, headers }: Pick<LoadTarget, 'authentication' | 'headers'>,
  operation: Operation | undefined,
  shown = false,
): RequestSecrets {
  if (authentication === undefined || operation === undefined)
    return { sendsToken: true, headers: {}, target: (path) => path };
  const all = authentication.credentials(operation);
  const others = shown ? all : all.filter((each) => !isToken(each));
  const fill = shown ? undefined : authentication.fill;
  return {
    sendsToken: all.some(isToken),
    headers: secretHeaders(others, cookieOf(headers), fill),
    target: (path) => withSecretQuery(path, others, fill),
  };
}

import { BEARER } from '../spec/index.ts';
import type { Identity, Operation, SecurityScheme, TokenName } from '../spec/index.ts';
import { credentialVariable, INVALID_TOKEN, labelOf } from './tokens.ts';
import type { KeyRing } from './tokens.ts';

/** A secret of a request and its place. */
export interface Credential extends Pick<SecurityScheme, 'name' | 'kind' | 'in' | 'parameter'> {
  /** `$VARIABLE`, or an invalid secret itself. */
  readonly secret: string;
}

type Known = Pick<KeyRing, 'has' | 'hasCredential'>;

/** The secret of a scheme for an identity; undefined if it is not configured. */
function secretOf(scheme: SecurityScheme, identity: TokenName | 'invalid', keys: Known): string | undefined {
  if (identity === 'invalid') return scheme.kind === 'basic' ? `assay:${INVALID_TOKEN}` : INVALID_TOKEN;
  const isOwn = keys.hasCredential(scheme.name) && (identity === 'full' || !scheme.takesToken);
  if (isOwn) return `$${credentialVariable(scheme.name)}`;
  return scheme.takesToken && keys.has(identity) ? `$${labelOf(identity).variable}` : undefined;
}

/** The schemes of each alternative; a bearer token if the description declares nothing. */
export function alternativesOf({
  security = [[BEARER]],
}: Pick<Operation, 'security'>): readonly (readonly SecurityScheme[])[] {
  return security;
}

/** The identity of requests that name none. */
export function usualIdentity({ permission }: Pick<Operation, 'permission'>): Identity {
  return permission === 'none' ? 'none' : 'full';
}

/** Of the first alternative whose secrets are all configured, else of that which lacks fewest; undefined if no identity would differ. */
export function credentialsFor(
  operation: Pick<Operation, 'security'>,
  identity: Identity,
  keys: Known,
): readonly Credential[] | undefined {
  if (identity === 'none') return [];
  const isOther = identity !== 'full' && identity !== 'invalid';
  const alternatives = alternativesOf(operation)
    .filter((schemes) => !isOther || (keys.has(identity) && schemes.some(({ takesToken }) => takesToken)))
    .map((schemes) => {
      const found = schemes.flatMap((scheme): Credential[] => {
        const { name, kind, in: place, parameter } = scheme;
        const secret = secretOf(scheme, identity, keys);
        if (secret === undefined) return [];
        // A token in the Authorization header is sent as a bearer token, regardless of its name in the description.
        const isToken = kind === 'apiKey' && parameter === 'authorization' && !keys.hasCredential(name);
        return [{ name, kind: isToken ? 'bearer' : kind, in: place, parameter, secret }];
      });
      return { found, missing: schemes.length - found.length };
    });
  const [best] = alternatives.toSorted((a, b) => a.missing - b.missing);
  return best?.found ?? (isOther ? undefined : []);
}

/** The schemes that requests to an operation use, and those of them whose secret is not configured. */
export function wantedOf(
  operation: Pick<Operation, 'security'>,
  keys: Known,
): { readonly wanted: readonly SecurityScheme[]; readonly missing: readonly SecurityScheme[] } {
  const [best] = alternativesOf(operation)
    .map((wanted) => ({ wanted, missing: wanted.filter((scheme) => secretOf(scheme, 'full', keys) === undefined) }))
    .toSorted((a, b) => a.missing.length - b.missing.length);
  return best ?? { wanted: [], missing: [] };
}

const placeOf = ({ in: place, parameter }: SecurityScheme): string => `${place} ${parameter}`;

const carrierOf = (scheme: SecurityScheme): string => `${scheme.kind} ${placeOf(scheme)}`;

/** The schemes without which a request lacks something: the other ones satisfy no alternative, and are sent elsewhere. */
export function neededOf(
  { security = [] }: Pick<Operation, 'security'>,
  sent: readonly SecurityScheme[],
): readonly SecurityScheme[] {
  return sent.filter((scheme) => {
    const others = sent.filter((each) => each !== scheme);
    const carriers = new Set(others.map(carrierOf));
    const suffices = security.some((alternative) => alternative.every((each) => carriers.has(carrierOf(each))));
    return !suffices && others.every((each) => placeOf(each) !== placeOf(scheme));
  });
}

type Fill = (text: string) => string;

const asNamed: Fill = (text) => text;

export function headerValue({ kind, secret }: Credential, fill: Fill): string {
  if (kind === 'bearer') return `Bearer ${fill(secret)}`;
  if (kind === 'apiKey') return fill(secret);
  const isNamed = secret.startsWith('$') && fill === asNamed;
  return `Basic ${isNamed ? secret : Buffer.from(fill(secret)).toString('base64')}`;
}

/** The credentials of a place as `name=value`; the values filled in are percent-encoded. */
function pairs(credentials: readonly Credential[], place: 'query' | 'cookie', fill: Fill): readonly string[] {
  return credentials
    .filter((each) => each.in === place)
    .map(({ parameter, secret }) => {
      const value = fill === asNamed ? secret : encodeURIComponent(fill(secret));
      return `${encodeURIComponent(parameter)}=${value}`;
    });
}

/** Adds the credentials of the query to a path. */
export function withSecretQuery(target: string, credentials: readonly Credential[], fill: Fill = asNamed): string {
  return pairs(credentials, 'query', fill).reduce(
    (path, pair) => `${path}${path.includes('?') ? '&' : '?'}${pair}`,
    target,
  );
}

/** The headers of credentials by their names in lower case; those in cookies follow `cookie`. */
export function secretHeaders(
  credentials: readonly Credential[],
  cookie: string | undefined,
  fill: Fill = asNamed,
): Readonly<Record<string, string>> {
  const inHeaders = credentials
    .filter((each) => each.in === 'header')
    .map((each) => [each.parameter, headerValue(each, fill)] as const);
  const cookies = pairs(credentials, 'cookie', fill);
  const all = [...(cookie === undefined || cookie === '' ? [] : [cookie]), ...cookies].join('; ');
  return { ...Object.fromEntries(inHeaders), ...(cookies.length === 0 ? {} : { cookie: all }) };
}

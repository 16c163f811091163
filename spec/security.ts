import { isObject } from './json.ts';
import type { JsonObject } from './json.ts';

/** How requests carry the secret of a security scheme. */
export interface SecurityScheme {
  /** Name in the description. */
  readonly name: string;
  readonly kind: 'basic' | 'bearer' | 'apiKey';
  readonly in: 'header' | 'query' | 'cookie';
  /** Name of the header, the query parameter or the cookie. */
  readonly parameter: string;
  /** True if the run's token is its secret, unless another one is configured. */
  readonly takesToken: boolean;
  /** First line of its description. */
  readonly about?: string;
}

/** The scheme used if a description declares none. */
export const BEARER: SecurityScheme = {
  name: '',
  kind: 'bearer',
  in: 'header',
  parameter: 'authorization',
  takesToken: true,
};

/** Alternatives; all schemes of one are needed together. One without schemes needs nothing. */
export type SecurityAlternatives = readonly (readonly SecurityScheme[])[];

/** The schemes of some operations, each once. */
export function schemesOf(
  operations: readonly { readonly security?: SecurityAlternatives }[],
): readonly SecurityScheme[] {
  const all = operations.flatMap(({ security = [] }) => security.flat());
  return [...new Map(all.map((scheme) => [scheme.name, scheme])).values()];
}

/** A scheme in a few words, for example `ApiKey (key in the header x-api-key)`. */
export function describeScheme({ name, kind, in: place, parameter }: SecurityScheme): string {
  if (kind === 'bearer') return /^$|token|bearer/i.test(name) ? 'an API token' : `an API token (${name})`;
  const PLACES = { header: 'header', query: 'query parameter', cookie: 'cookie' };
  const way = {
    basic: 'user name and password, HTTP Basic',
    bearer: 'bearer token',
    apiKey: `key in the ${PLACES[place]} ${parameter}`,
  }[kind];
  return `${name} (${way})`;
}

/** Names of the flows in OpenAPI 3 and in Swagger 2. */
const FLOWS = { clientCredentials: ['clientCredentials', 'application'], password: ['password'] } as const;

/** Token endpoints that OAuth 2.0 schemes declare for a flow, each once, as written: they may be relative to the server. */
export function tokenUrlsOf({ components }: JsonObject, flow: keyof typeof FLOWS): readonly string[] {
  const schemes = isObject(components) ? components['securitySchemes'] : undefined;
  const urls = Object.values(isObject(schemes) ? schemes : {}).flatMap((scheme) => {
    if (!isObject(scheme)) return [];
    const { flows, flow: only, tokenUrl } = scheme;
    const declared = isObject(flows) ? FLOWS[flow].map((name) => flows[name]) : [];
    const own = FLOWS[flow].some((name) => name === only) ? [tokenUrl] : [];
    return [...declared.map((each) => (isObject(each) ? each['tokenUrl'] : undefined)), ...own];
  });
  return [...new Set(urls.filter((url) => typeof url === 'string'))];
}

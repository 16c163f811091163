import { isObject } from '../../json.ts';
import { existingPointer, pointerTo } from '../../pointer.ts';
import { follow, textOf } from './read.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { SecurityAlternatives, SecurityScheme } from '../../security.ts';
import type { Reading } from './read.ts';

/** A scheme without a token: a certificate, or one that is not supported. */
type Declared = Omit<SecurityScheme, 'takesToken'> | 'certificate' | 'unsupported';

const IN_HEADER = { in: 'header', parameter: 'authorization' } as const;

/** The security schemes of a description, and which of them operations require. */
export interface Security {
  /** What an operation object requires; undefined if the description does not say how requests are authenticated. */
  of(operation: JsonObject): SecurityAlternatives | undefined;
}

function apiKeyOf(node: JsonObject, name: string): Declared {
  const parameter = textOf(node, 'name') ?? name;
  const place = textOf(node, 'in');
  const isBearer = place === 'header' && parameter.toLowerCase() === 'authorization';
  // Swagger 2 has no other way to describe a bearer token.
  if (isBearer && /bearer|jwt/i.test(`${name} ${textOf(node, 'description') ?? ''}`))
    return { name, kind: 'bearer', ...IN_HEADER };
  if (place !== 'query' && place !== 'cookie')
    return { name, kind: 'apiKey', in: 'header', parameter: parameter.toLowerCase() };
  return { name, kind: 'apiKey', in: place, parameter };
}

function schemeOf(node: JsonObject, name: string): Declared {
  const type = textOf(node, 'type')?.toLowerCase();
  const scheme = type === 'http' ? textOf(node, 'scheme')?.toLowerCase() : type;
  if (type === 'apikey') return withAbout(apiKeyOf(node, name), node);
  if (type === 'mutualtls') return 'certificate';
  if (scheme === 'basic') return withAbout({ name, kind: 'basic', ...IN_HEADER }, node);
  const isBearer = scheme === 'bearer' || type === 'oauth2' || type === 'openidconnect';
  return isBearer ? withAbout({ name, kind: 'bearer', ...IN_HEADER }, node) : 'unsupported';
}

function withAbout(scheme: Declared, node: JsonObject): Declared {
  const about = textOf(node, 'description')?.trim().split('\n')[0];
  return typeof scheme === 'string' || about === undefined || about === '' ? scheme : { ...scheme, about };
}

function declaredIn({ document, report }: Reading): ReadonlyMap<string, Declared> {
  const { components } = document;
  const schemes = isObject(components) ? components['securitySchemes'] : undefined;
  const declared = new Map<string, Declared>();
  for (const [name, item] of Object.entries(isObject(schemes) ? schemes : {})) {
    const pointer = pointerTo('', 'components', 'securitySchemes', name);
    const node = follow(document, item, pointer)?.node;
    const scheme = node === undefined ? 'unsupported' : schemeOf(node, name);
    declared.set(name, scheme);
    if (scheme !== 'unsupported') continue;
    const hint = 'Supported: http basic and bearer, apiKey, oauth2, openIdConnect and mutualTLS. It is ignored.';
    report.note('security-scheme', pointer, `The security scheme ${name} is not supported.`, hint);
  }
  return declared;
}

function reportUndeclared({ document, report }: Reading, name: string): void {
  const pointer = existingPointer(document, '/components/securitySchemes');
  const message = `The security scheme ${name} is required, but not declared.`;
  report.warning('security-undeclared', pointer, message, 'Declare it. Until then it is taken for a bearer token.');
}

/** One alternative; undefined if it contains an unsupported scheme. */
function alternativeOf(
  item: Json,
  declared: ReadonlyMap<string, Declared>,
): readonly Omit<SecurityScheme, 'takesToken'>[] | undefined {
  const names = isObject(item) ? Object.keys(item) : [];
  const found = names.map((name): Declared => declared.get(name) ?? { name, kind: 'bearer', ...IN_HEADER });
  if (found.includes('unsupported')) return undefined;
  return found.flatMap((scheme) => (typeof scheme === 'string' ? [] : [scheme]));
}

/** Reads the security schemes of a description. */
export function securityOf(reading: Reading): Security {
  const declared = declaredIn(reading);
  const usable = [...declared.values()].flatMap((scheme) => (typeof scheme === 'string' ? [] : [scheme]));
  const hasBearer = usable.some(({ kind }) => kind === 'bearer');
  const withToken = (scheme: Omit<SecurityScheme, 'takesToken'>): SecurityScheme => ({
    ...scheme,
    takesToken: scheme.kind === 'bearer' || (scheme.kind === 'apiKey' && !hasBearer && usable.length === 1),
  });
  return {
    of(operation) {
      const written = operation['security'] ?? reading.document['security'];
      const listed = Array.isArray(written) ? (written as readonly Json[]) : [];
      for (const name of listed.flatMap((item) => (isObject(item) ? Object.keys(item) : [])))
        if (!declared.has(name)) reportUndeclared(reading, name);
      const alternatives = listed.flatMap((item) =>
        [alternativeOf(item, declared) ?? []].filter((each) => each.length > 0),
      );
      if (alternatives.length > 0) return alternatives.map((each) => each.map(withToken));
      const [only, second] = usable;
      const isOpen = Array.isArray(operation['security']) && operation['security'].length === 0;
      return isOpen || only === undefined || second !== undefined ? undefined : [[withToken(only)]];
    },
  };
}

import { defined } from '../../defined.ts';
import { EFFECTS } from '../../contract.ts';
import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { parametersOf } from './parameters.ts';
import { textOf } from './read.ts';
import { itemPaths, ownCollection, templateKey } from './template-key.ts';
import { bodyOf, responsesOf } from './responses.ts';
import type { Effect, Method, Operation, Parameter, Permission } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Candidate } from './candidates.ts';
import type { Reading } from './read.ts';
import type { SecurityAlternatives } from '../../security.ts';
import type { Security } from './security.ts';

/** An operation without its forms. */
export type Formless = Omit<Operation, 'id' | 'path' | 'forms'>;

/** The {@link templateKey} path templates that have a DELETE. */
type Removable = ReadonlySet<string>;

/**
 * The effect of an operation: `x-effect`, or else inferred from its method. A change counts as reversible only if the item has a
 * DELETE; one with a path of its own, only if the description has the 201 of a creation.
 */
function effectOf(operation: JsonObject, method: Method, path: string, removable: Removable): Effect {
  const written = textOf(operation, 'x-effect');
  const named = EFFECTS.find((effect) => effect === written);
  if (named !== undefined) return named;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE') return 'read';
  if (method === 'POST') {
    const isCreation = isObject(operation['responses']) && operation['responses']['201'] !== undefined;
    const paths = [...itemPaths(path), ...(isCreation ? [ownCollection(path)] : [])];
    return paths.some((each) => removable.has(`${each}/{}`)) ? 'reversible' : 'irreversible';
  }
  return removable.has(templateKey(path)) && /\{[^{}/]*\}\/?$/.test(path) ? 'reversible' : 'irreversible';
}

/** Who may call an operation, and whether the description says nothing about it. */
interface Access {
  readonly permission: Permission;
  readonly authUndeclared: boolean;
}

/** True where the description requires a security scheme of the operation. */
function isSecured(document: JsonObject, node: JsonObject, security: SecurityAlternatives | undefined): boolean {
  return security !== undefined && requiresScheme(node['security'] ?? document['security']);
}

/** The policies that a summary states, in the form of api.md section 5: "Auth policies: …" or "Auth". */
function stated(text: string): Permission | undefined {
  const policies = /\bAuth polic(?:ies|y)\s*:\s*([A-Za-z][\w:.-]*\w(?:\s*,\s*[A-Za-z][\w:.-]*\w)*)/i.exec(text)?.[1];
  if (policies !== undefined) return policies.replaceAll(/\s*,\s*/g, ', ');
  return /(^|[\s([.,;])Auth\s*[)\].]?\s*$/m.test(text) ? 'any' : undefined;
}

/** True for security requirements that require a scheme: not `[]`, and without the alternative `{}`. */
export function requiresScheme(security: Json | undefined): boolean {
  return Array.isArray(security) && security.length > 0 && security.every((item) => !isObject(item) || !isEmpty(item));
}

function isEmpty(node: JsonObject): boolean {
  return Object.keys(node).length === 0;
}

/**
 * The permission of an operation: `x-permission`, then what its summary states, then its security. Only an operation's own
 * `security: []` makes it public. At the root, `security: [{}]` with a bearer scheme does not: generators write it if they do
 * not know the permissions.
 */
function accessOf(document: JsonObject, operation: JsonObject, security: SecurityAlternatives | undefined): Access {
  const extension = textOf(operation, 'x-permission');
  if (extension !== undefined) return { permission: extension, authUndeclared: false };
  const inSummary = stated(textOf(operation, 'summary') ?? '');
  if (inSummary !== undefined) return { permission: inSummary, authUndeclared: false };
  const own = operation['security'];
  if (Array.isArray(own) && own.length === 0) return { permission: 'none', authUndeclared: false };
  const said = stated(textOf(operation, 'description') ?? '');
  return {
    permission: said ?? 'unstated',
    authUndeclared: said === undefined && !isSecured(document, operation, security),
  };
}

function tagOf(node: JsonObject, template: string): string {
  const tags = node['tags'];
  const first: unknown = Array.isArray(tags) ? tags[0] : undefined;
  if (typeof first === 'string') return first;
  return (
    template
      .split('/')
      .find((part) => part !== '' && part !== 'api' && !/^v\d+$/.test(part) && !part.startsWith('{')) ?? 'default'
  );
}

function extensionsOf(node: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => key.startsWith('x-')));
}

/** Parameters that a security scheme sets are not generated. */
function isSecret({ in: place, name }: Parameter, security: SecurityAlternatives): boolean {
  const same = (parameter: string): boolean =>
    place === 'header' ? parameter === name.toLowerCase() : parameter === name;
  return security.flat().some((scheme) => scheme.in === place && same(scheme.parameter));
}

/** What operations of a description share. */
interface Shared {
  readonly removable: Removable;
  readonly security: Security;
}

export function buildOperation(reading: Reading, candidate: Candidate, { removable, ...shared }: Shared): Formless {
  const { node, item, method, template, pointer } = candidate;
  const lists = [
    { list: node['parameters'], pointer: pointerTo(pointer, 'parameters') },
    { list: item['parameters'], pointer: pointerTo(candidate.itemPointer, 'parameters') },
  ];
  const body = bodyOf(reading, method, node, pointer);
  const security = shared.security.of(node);
  const access = accessOf(reading.document, node, security);
  const section = textOf(node, 'x-section');
  return {
    method,
    tag: tagOf(node, template),
    summary: textOf(node, 'summary') ?? textOf(node, 'description')?.split('\n')[0] ?? '',
    parameters: parametersOf(reading, template, lists, pointer).filter((each) => !isSecret(each, security ?? [])),
    responses: responsesOf(reading, node, pointer),
    permission: access.permission,
    ...(access.authUndeclared ? { authUndeclared: true } : {}),
    ...(isSecured(reading.document, node, security) ? { securityRequired: true } : {}),
    effect: effectOf(node, method, template, removable),
    extensions: extensionsOf(node),
    ...defined({ body, security, section }),
  };
}

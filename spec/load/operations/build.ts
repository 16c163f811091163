import { EFFECTS } from '../../contract.ts';
import { isObject } from '../../json.ts';
import { pointerTo } from '../../pointer.ts';
import { parametersOf } from './parameters.ts';
import { textOf } from './read.ts';
import { bodyOf, responsesOf } from './responses.ts';
import type { Effect, Method, Operation, Permission } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import type { Candidate } from './candidates.ts';
import type { Reading } from './read.ts';

/** An operation without its forms. */
export type Formless = Omit<Operation, 'id' | 'path' | 'forms'>;

/** The {@link blanked} path templates that have a DELETE. */
type Removable = ReadonlySet<string>;

/** A path template without parameter names, in lower case. */
export function blanked(path: string): string {
  return path
    .replace(/\{[^{}/]*\}/g, '{}')
    .replace(/\/+$/, '')
    .toLowerCase();
}

/**
 * The effect of an operation: `x-effect`, or else inferred from its method. A change counts as reversible only if the item has a DELETE.
 */
function effectOf(operation: JsonObject, method: Method, path: string, removable: Removable): Effect {
  const written = textOf(operation, 'x-effect');
  const named = EFFECTS.find((effect) => effect === written);
  if (named !== undefined) return named;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE') return 'read';
  if (method === 'POST') return removable.has(blanked(`${path}/{}`)) ? 'reversible' : 'irreversible';
  return removable.has(blanked(path)) && /\{[^{}/]*\}\/?$/.test(path) ? 'reversible' : 'irreversible';
}

/** Who may call an operation, and whether the description says nothing about it. */
interface Access {
  readonly permission: Permission;
  readonly authUndeclared: boolean;
}

function needsNothing(security: Json | undefined): boolean {
  return (
    Array.isArray(security) &&
    (security.length === 0 || security.some((item) => isObject(item) && Object.keys(item).length === 0))
  );
}

function stated(operation: JsonObject): Permission | undefined {
  const text = `${textOf(operation, 'summary') ?? ''}\n${textOf(operation, 'description') ?? ''}`;
  const policies = /\bAuth polic(?:ies|y)\s*:\s*([A-Za-z][\w:.-]*[\w])/i.exec(text)?.[1];
  if (policies !== undefined) return policies;
  return /(^|[\s([.,;])Auth\s*[)\].]?\s*$/m.test(text) ? 'any' : undefined;
}

/** The permission of an operation: from `x-permission`, its summary or its security. */
function accessOf(document: JsonObject, operation: JsonObject): Access {
  const extension = textOf(operation, 'x-permission');
  if (extension !== undefined) return { permission: extension, authUndeclared: false };
  const security = operation['security'] ?? document['security'];
  if (
    needsNothing(operation['security']) ||
    (operation['security'] === undefined && needsNothing(document['security']))
  ) {
    return {
      permission: 'none',
      authUndeclared: document['security'] === undefined && operation['security'] === undefined,
    };
  }
  const said = stated(operation);
  return { permission: said ?? 'unstated', authUndeclared: said === undefined && !Array.isArray(security) };
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

/** Reads one operation object. */
export function buildOperation(reading: Reading, candidate: Candidate, removable: Removable): Formless {
  const { node, item, method, template, pointer } = candidate;
  const lists = [
    { list: node['parameters'], pointer: pointerTo(pointer, 'parameters') },
    { list: item['parameters'], pointer: pointerTo(candidate.itemPointer, 'parameters') },
  ];
  const body = bodyOf(reading, method, node, pointer);
  const access = accessOf(reading.document, node);
  const section = textOf(node, 'x-section');
  return {
    method,
    tag: tagOf(node, template),
    summary: textOf(node, 'summary') ?? textOf(node, 'description')?.split('\n')[0] ?? '',
    parameters: parametersOf(reading, template, lists, pointer),
    ...(body === undefined ? {} : { body }),
    responses: responsesOf(reading, node, pointer),
    permission: access.permission,
    ...(access.authUndeclared ? { authUndeclared: true } : {}),
    effect: effectOf(node, method, template, removable),
    extensions: extensionsOf(node),
    ...(section === undefined ? {} : { section }),
  };
}

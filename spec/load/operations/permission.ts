import { isObject } from '../../json.ts';
import { textOf } from './read.ts';
import type { Permission } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';

/** What is known of who may call an operation, and whether the description says anything of it at all. */
export interface Access {
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

/** The permission that an operation states: `x-permission`, its summary, or its security. */
export function accessOf(document: JsonObject, operation: JsonObject): Access {
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

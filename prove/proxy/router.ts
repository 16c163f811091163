import type { Tokens } from '../../service/start.ts';
import { escapeRegExp } from '../../spec/escape.ts';
import type { Contract } from '../../spec/index.ts';
import type { Caller, Route } from './message.ts';

/** Finds the documented operation that a request addresses. */
export type Router = (method: string, path: string) => Route | undefined;

const PARAMETER = /\{([^}]+)\}/g;

function patternOf(route: Omit<Route, 'params'>, path: string) {
  const literal = path.split(PARAMETER).map((part, index) => (index % 2 === 0 ? escapeRegExp(part) : '([^/]+)'));
  return {
    route,
    method: route.operation.method,
    expression: new RegExp(`^${literal.join('')}/?$`, 'i'),
    openness: openness(path),
    names: [...path.matchAll(PARAMETER)].map(([, name]) => name ?? ''),
  };
}

/** Few where a path names most: segments that are nothing but a parameter count more than those that hold one. */
const openness = (path: string): number =>
  10 * (path.match(/\/\{[^{}/]+\}(?=\/|$)/g) ?? []).length + path.split('{').length;

/** Literal segments win over parameters. */
export function createRouter(contract: Contract): Router {
  const patterns = contract.operations
    .flatMap((operation) =>
      operation.forms.map((form) => patternOf({ operation, id: operation.id, form: form.name }, form.path)),
    )
    .sort((a, b) => a.openness - b.openness);
  return (method, path) => {
    for (const { route, method: own, expression, names } of patterns) {
      const match = own === method ? expression.exec(path) : null;
      if (match !== null)
        return { ...route, params: Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? ''])) };
    }
    return undefined;
  };
}

/** Whom an Authorization header stands for. */
export function callerOf(authorization: string | undefined, tokens: Tokens): Caller {
  if (authorization === undefined || authorization === '') return 'none';
  for (const role of ['full', 'limited', 'expired', 'otherTenant'] as const)
    if (authorization === `Bearer ${tokens[role]}`) return role;
  const [permission] =
    Object.entries(tokens.permissions).find(([, token]) => authorization === `Bearer ${token}`) ?? [];
  return (permission as `RACI:${string}` | undefined) ?? 'invalid';
}

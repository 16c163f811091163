import type { Call, Method, Operation } from './call.ts';
import { Refusal } from './refusal.ts';

interface Route {
  readonly method: Method;
  readonly path: string;
  readonly pattern: RegExp;
}

function routesOf(operations: readonly Operation[]): readonly Route[] {
  return operations.flatMap(({ method, path, forms }) =>
    forms.map((form) => ({ method, path: form + path, pattern: patternOf(form + path) })),
  );
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`, 'i');
}

const parameters = (path: string) => path.split('{').length;

/** The handler for requests without a route: 405 if another method has one, else 404. */
export function createRefuseUnrouted(operations: readonly Operation[]): (call: Call) => never {
  const routes = routesOf(operations).toSorted((a, b) => parameters(a.path) - parameters(b.path));
  return (call) => {
    const closest = routes.find(({ pattern }) => pattern.test(call.path));
    if (closest === undefined) throw new Refusal(404, 'There is no such path.');
    const allow = routes
      .filter(({ path }) => path === closest.path)
      .map(({ method }) => method)
      .join(', ');
    throw new Refusal(405, `The path takes ${allow}.`, undefined, { allow });
  };
}

/** Literal paths that a template with a parameter would match for another method. */
export function shadowedRoutes(operations: readonly Operation[]): readonly { method: Method; path: string }[] {
  const routes = routesOf(operations);
  const paths = new Map(routes.map(({ path }) => [path, new Set<Method>()]));
  for (const { path, method } of routes) paths.get(path)?.add(method);
  return [...paths].flatMap(([path, own]) => {
    const others = routes.filter((route) => parameters(route.path) > parameters(path) && route.pattern.test(path));
    return [...new Set(others.map(({ method }) => method))]
      .filter((method) => !own.has(method))
      .map((method) => ({ method, path }));
  });
}

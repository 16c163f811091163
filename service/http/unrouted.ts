import type { Call, Operation } from './call.ts';
import { Refusal } from './refusal.ts';

/** What is said where no route matched: 405 where another method would, 404 else. */
export function createRefuseUnrouted(operations: readonly Operation[]): (call: Call) => never {
  const routes = operations.flatMap(({ method, path, forms }) =>
    forms.map((form) => ({ method, pattern: patternOf(form + path) })),
  );
  return (call) => {
    const methods = routes.filter(({ pattern }) => pattern.test(call.path)).map(({ method }) => method);
    if (methods.length === 0) throw new Refusal(404, 'There is no such path.');
    const allow = [...new Set(methods)].join(', ');
    throw new Refusal(405, `The path takes ${allow}.`, undefined, { allow });
  };
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`, 'i');
}

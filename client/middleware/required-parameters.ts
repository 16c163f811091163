import type { Operation } from '../../spec/index.ts';
import type { Middleware, RequiredParameters } from '../request-spec.ts';

/**
 * Adds the parameters that an operation requires to requests that do not set them; `undefined` in a request leaves one out. Comes before
 * the retry, so that a repeated request has the same values. `headers`: those of the user, which take precedence.
 */
export function withRequiredParameters(
  requiredOf: ((operation: Operation) => RequiredParameters) | undefined,
  headers: Readonly<Record<string, string>> = {},
): Middleware {
  if (requiredOf === undefined) return (next) => next;
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return (next) => (spec) => {
    const required = requiredOf(spec.operation);
    const own = Object.entries(required.headers ?? {}).filter(([name]) => !given.has(name));
    return next({
      ...spec,
      ...(spec.rawQuery === undefined ? { query: { ...required.query, ...spec.query } } : {}),
      headers: { ...Object.fromEntries(own), ...spec.headers },
      cookies: { ...required.cookies, ...spec.cookies },
    });
  };
}

import type { Make, Outgoing, Reply } from './message.ts';
import { callOf } from './proxy.ts';

/** Passes everything through. */
export const passThrough: Make = () => (_, next) => next();

/** Several handlers as one; the first is nearest to the client. */
export function together(...makes: readonly Make[]): Make {
  return (context) =>
    makes
      .map((make) => make(context))
      .reduceRight(
        (inner, outer) => (call, next) =>
          outer(call, async (changes) =>
            inner(changes === undefined ? call : callOf({ ...call, ...changes }, context), (more) =>
              next(changes === undefined && more === undefined ? undefined : { ...changes, ...more }),
            ),
          ),
        (_, next) => next(),
      );
}

function sameReply(a: Reply, b: Reply): boolean {
  return (
    a === b ||
    (a.status === b.status &&
      a.wire === b.wire &&
      a.body.equals(b.body) &&
      JSON.stringify(a.headers) === JSON.stringify(b.headers))
  );
}

/** Counts how often a handler changes a request, a response or the state of the target. */
export function counting(make: Make, onHit: () => void): Make {
  return (context) => {
    const handler = make({
      ...context,
      send: (method, target, body) => {
        if (method !== 'GET') onHit();
        return context.send(method, target, body);
      },
    });
    return async (call, next) => {
      let plain: Reply | undefined;
      const reply = await handler(call, async (changes?: Partial<Outgoing>) => {
        if (changes !== undefined) onHit();
        plain = await next(changes);
        return plain;
      });
      if (plain === undefined || !sameReply(plain, reply)) onHit();
      return reply;
    };
  };
}

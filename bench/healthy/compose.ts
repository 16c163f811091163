import { callOf } from '../mutants/proxy.ts';
import type { Make } from '../mutants/types.ts';

/** Several ways at once; what comes first stands nearest to the client. */
export const together =
  (...makes: readonly Make[]): Make =>
  (context) =>
    makes
      .map((make) => make(context))
      .reduceRight(
        (inner, outer) => (call, next) =>
          outer(call, async (changes) =>
            inner(changes === undefined ? call : callOf({ ...call, ...changes }, context.tokens), (more) =>
              next(changes === undefined && more === undefined ? undefined : { ...changes, ...more }),
            ),
          ),
      );

import type { Effect, Method, Operation } from '../../spec/index.ts';
import { methodOf } from '../request-spec.ts';
import type { Middleware, RequestSpec } from '../request-spec.ts';
import { SendError } from '../send-error.ts';

export interface GuardOptions {
  /** Effects that may be caused (`--allow`). */
  readonly allow: readonly Effect[];
  /** Maximum of requests per operation (`--max-requests`), except deletions. Default: no limit. */
  readonly maxRequests?: (operation: Operation) => number;
  /** Whether a request's path values make its path that of another operation. */
  readonly addressesOther?: (spec: RequestSpec) => boolean;
}

function isRead(method: Method): boolean {
  return method === 'GET' || method === 'HEAD';
}

function forbid({ allow, addressesOther }: GuardOptions, spec: RequestSpec): void {
  const { id, effect } = spec.operation;
  if (!allow.includes(effect)) throw new SendError('effect-not-allowed', `the effect ${effect} is not allowed`);
  if (!isRead(methodOf(spec)) && !allow.includes('reversible'))
    throw new SendError('effect-not-allowed', 'only reads are allowed');
  if (addressesOther?.(spec) === true)
    throw new SendError('other-operation', `with this path, the request would call ${id}`);
}

/** Throws a SendError for a request that must not be sent; without options every request may be sent. */
export function withEffectGuard(options: GuardOptions | undefined): Middleware {
  if (options === undefined) return (next) => next;
  const sent = new Map<string, number>();
  return (next) => async (spec) => {
    forbid(options, spec);
    const most = options.maxRequests?.(spec.operation) ?? Infinity;
    const count = (sent.get(spec.operation.id) ?? 0) + 1;
    if (count > most && methodOf(spec) !== 'DELETE')
      throw new SendError('request-limit', `the operation has reached its limit of ${most} requests (--max-requests)`);
    sent.set(spec.operation.id, count);
    return next(spec);
  };
}

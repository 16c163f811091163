import type { Exchange, FailureKind } from '../../spec/index.ts';
import type { Middleware } from '../request-spec.ts';
import { SendError } from '../send-error.ts';
import { headerOf } from '../transport/receive.ts';

/** Failures that mean that there is no connection to the target. */
const GONE: ReadonlySet<FailureKind | undefined> = new Set(['refused', 'dns', 'tls']);

/** Failures of the run itself. */
const NOT_OF_THE_TARGET: ReadonlySet<FailureKind | undefined> = new Set(['aborted', 'other']);

/** After so many postponed requests in a row the target is given up. */
const MOST_POSTPONED = 10;

/** True for 429, and for 503 with a Retry-After: they come from a gateway and say nothing about the service. */
function isPostponed({ response }: Exchange): boolean {
  if (response?.status === 429) return true;
  return response?.status === 503 && headerOf(response, 'retry-after') !== undefined;
}

/** Knows whether the target can still be used. */
export class Availability {
  /** Why the target is given up; undefined while it is not. */
  lost: string | undefined;
  #postponed = 0;

  /** Throws a SendError once the target is given up. */
  check(): void {
    if (this.lost !== undefined) throw new SendError('unreachable', this.lost);
  }

  /** Throws a SendError where the exchange says nothing about the service. */
  judge(exchange: Exchange): Exchange {
    const { failure } = exchange;
    if (failure !== undefined && GONE.has(failure.kind))
      this.lost ??= `the target can't be reached any more: ${failure.message}`;
    if (GONE.has(failure?.kind) || NOT_OF_THE_TARGET.has(failure?.kind))
      throw new SendError('unreachable', this.lost ?? failure?.message ?? '');
    this.#postponed = isPostponed(exchange) ? this.#postponed + 1 : 0;
    if (this.#postponed > 0) this.#postpone(exchange);
    return exchange;
  }

  #postpone({ operation, response }: Exchange): never {
    const why = `still returns ${response?.status} after all the waiting that this run may do`;
    if (this.#postponed < MOST_POSTPONED) throw new SendError('postponed', `${operation} ${why}`);
    this.lost ??= `the target ${why}; a lower --max-rate may help`;
    throw new SendError('unreachable', this.lost);
  }
}

/** Throws a SendError in place of an exchange that says nothing about the service, and for every request after the target is given up. */
export function withAvailability(availability: Availability | undefined): Middleware {
  if (availability === undefined) return (next) => next;
  return (next) => async (spec) => {
    availability.check();
    return availability.judge(await next(spec));
  };
}

import { AssayError, EXIT } from '../../spec/index.ts';
import type { Exchange, FailureKind, TokenName } from '../../spec/index.ts';
import type { Middleware } from '../request-spec.ts';
import { SendError } from '../send-error.ts';
import { isPostponed, mayBeProcessed } from './retry.ts';

/** Failures that mean that there is no connection to the target. */
const GONE: ReadonlySet<FailureKind | undefined> = new Set(['refused', 'dns', 'tls']);

/** Failures of the run itself. */
const NOT_OF_THE_TARGET: ReadonlySet<FailureKind | undefined> = new Set(['aborted', 'other']);

/** The run gives the target up after this many consecutive postponed requests. */
const MAX_POSTPONED = 10;

/** Why nothing more is sent to a target. */
export interface Loss {
  readonly code: 'unreachable' | 'token-refused';
  /** A sentence without initial capital and full stop. */
  readonly message: string;
  /** The token that is no longer accepted. */
  readonly token?: TokenName;
}

const LOSSES = {
  unreachable: {
    exitCode: EXIT.unreachable,
    hint: 'Check that the deployment is still running, then run again. The next run removes the resources that this run left.',
  },
  'token-refused': {
    exitCode: EXIT.inconclusive,
    hint: 'Run again with a token that outlives the run, or configure renewal (auth in docs/configuration.md). The next run, or assay clean, removes the resources that this run left.',
  },
} as const satisfies Record<Loss['code'], Pick<AssayError, 'exitCode' | 'hint'>>;

/** The error for a loss, which ends the run. */
export function lossError({ code, message }: Loss): AssayError {
  return new AssayError(message, LOSSES[code]);
}

export class Availability {
  /** Why the target was given up; undefined while it is usable. */
  lost: Loss | undefined;
  #postponed = 0;

  /** Gives the target up; the first reason counts. */
  lose(loss: Loss): void {
    this.lost ??= loss;
  }

  /** Throws a SendError if the target was given up. */
  check(): void {
    if (this.lost !== undefined) throw new SendError(this.lost.code, this.lost.message);
  }

  /** Throws a SendError if the exchange is no evidence about the service. */
  judge(exchange: Exchange): Exchange {
    const { failure, response, identity } = exchange;
    if (failure !== undefined && GONE.has(failure.kind))
      this.lose({ code: 'unreachable', message: `the target can no longer be reached: ${failure.message}` });
    if (response?.status === 401 && identity === this.lost?.token) this.check();
    if (GONE.has(failure?.kind) || NOT_OF_THE_TARGET.has(failure?.kind)) {
      this.check();
      throw new SendError('unreachable', failure?.message ?? '');
    }
    this.#postponed = response !== undefined && isPostponed(response) ? this.#postponed + 1 : 0;
    if (this.#postponed > 0) this.#postpone(exchange);
    return exchange;
  }

  #postpone({ operation, request, response }: Exchange): void {
    const { status = 0 } = response ?? {};
    const why = mayBeProcessed(status, request.method)
      ? `returned ${status}, and is not sent again because it may have been processed`
      : `still returns ${status} after the longest wait that this run allows`;
    if (this.#postponed < MAX_POSTPONED) throw new SendError('postponed', `${operation} ${why}`);
    const lost = `the target served none of the last ${MAX_POSTPONED} requests (${status}); a lower --max-rate may help`;
    this.lose({ code: 'unreachable', message: lost });
    this.check();
  }
}

/** Throws a SendError for an exchange that is no evidence about the service, and for every request after the target was given up. */
export function withAvailability(availability: Availability): Middleware {
  return (next) => async (spec) => {
    availability.check();
    return availability.judge(await next(spec));
  };
}

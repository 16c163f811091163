import type { Exchange } from '../../spec/index.ts';
import type { Middleware } from '../request-spec.ts';
import { SendError } from '../send-error.ts';
import type { Availability } from './availability.ts';

/** Time-outs of one operation in a row after which nothing more is sent to it. */
const MOST_OF_OPERATION = 2;

/** Time-outs in a row, whatever the operation, after which the target is given up. */
const MOST_OF_TARGET = 8;

/**
 * Operations that do not answer: every further request would wait the whole time-out for nothing. The time-outs themselves are
 * handed out as exchanges and become findings.
 */
export class Answering {
  /** The time-outs of each operation since it last answered. */
  readonly #timeouts = new Map<string, readonly Exchange[]>();
  readonly #availability: Availability;
  #inRow = 0;

  constructor(availability: Availability) {
    this.#availability = availability;
  }

  /** Throws a SendError for an operation that does not answer. */
  check(operation: string): void {
    const timeouts = this.#timeouts.get(operation) ?? [];
    if (timeouts.length < MOST_OF_OPERATION) return;
    const message = `${operation} does not respond: ${timeouts.length} requests in a row timed out`;
    throw new SendError('not-answering', message, timeouts.at(-1));
  }

  note(exchange: Exchange): void {
    const { operation, failure, response } = exchange;
    if (response !== undefined) this.#inRow = 0;
    if (response !== undefined) this.#timeouts.delete(operation);
    if (failure?.kind !== 'timeout') return;
    this.#inRow += 1;
    this.#timeouts.set(operation, [...(this.#timeouts.get(operation) ?? []), exchange]);
    if (this.#inRow < MOST_OF_TARGET) return;
    const message = `the target has stopped responding: ${this.#inRow} requests in a row timed out`;
    this.#availability.lose({ code: 'unreachable', message });
  }
}

/** Sends nothing to an operation that does not answer. Behind the concurrency limit, so that those who waited are stopped too. */
export function withAnswering(answering: Answering): Middleware {
  return (next) => async (spec) => {
    answering.check(spec.operation.id);
    const exchange = await next(spec);
    answering.note(exchange);
    return exchange;
  };
}

import type { Exchange } from '../../spec/index.ts';
import type { Middleware } from '../request-spec.ts';
import { SendError } from '../send-error.ts';
import type { Availability } from './availability.ts';

/** Consecutive time-outs of one operation after which nothing more is sent to it. */
const MAX_PER_OPERATION = 2;

/** Consecutive time-outs of any operations after which the target is given up. */
const MAX_OF_TARGET = 8;

/** Stops requests to operations that only time out, because each would wait for the full time-out. */
export class CircuitBreaker {
  readonly #timeouts = new Map<string, readonly Exchange[]>();
  readonly #availability: Availability;
  #consecutive = 0;

  constructor(availability: Availability) {
    this.#availability = availability;
  }

  check(operation: string): void {
    const timeouts = this.#timeouts.get(operation) ?? [];
    if (timeouts.length < MAX_PER_OPERATION) return;
    const message = `${operation} does not respond: ${timeouts.length} requests in a row timed out`;
    throw new SendError('not-answering', message, timeouts.at(-1));
  }

  record(exchange: Exchange): void {
    const { operation, failure, response } = exchange;
    if (response !== undefined) this.#consecutive = 0;
    if (response !== undefined) this.#timeouts.delete(operation);
    if (failure?.kind !== 'timeout') return;
    this.#consecutive += 1;
    this.#timeouts.set(operation, [...(this.#timeouts.get(operation) ?? []), exchange]);
    if (this.#consecutive < MAX_OF_TARGET) return;
    const message = `the target has stopped responding: ${this.#consecutive} requests in a row timed out`;
    this.#availability.lose({ code: 'unreachable', message });
  }
}

/** Runs after the concurrency limit, so that it stops requests that waited there too. */
export function withCircuitBreaker(breaker: CircuitBreaker): Middleware {
  return (next) => async (spec) => {
    breaker.check(spec.operation.id);
    const exchange = await next(spec);
    breaker.record(exchange);
    return exchange;
  };
}

import type { Exchange } from '../../spec/index.ts';
import type { Middleware } from '../request-spec.ts';
import { SendError } from '../send-error.ts';
import type { Availability } from './availability.ts';

/** Consecutive time-outs of one operation after which nothing more is sent to it. */
const MAX_PER_OPERATION = 2;

/** Consecutive time-outs of any operations after which the target is given up. */
const MAX_OF_TARGET = 8;

/** Longer bodies are not part of a message. */
const MOST_SHOWN = 80;

/** Stops requests to operations that only time out, because each would wait for the full time-out. */
export class CircuitBreaker {
  readonly #timeouts = new Map<string, readonly Exchange[]>();
  readonly #availability: Availability;
  /** The time-outs in a row of any operations. */
  #consecutive: Exchange[] = [];

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
    if (response !== undefined) this.#consecutive = [];
    if (response !== undefined) this.#timeouts.delete(operation);
    if (failure?.kind !== 'timeout') return;
    this.#consecutive.push(exchange);
    this.#timeouts.set(operation, [...(this.#timeouts.get(operation) ?? []), exchange]);
    if (this.#consecutive.length < MAX_OF_TARGET) return;
    // It may be the reason for the others, which were sent while the target was busy with it.
    const [first = exchange] = this.#consecutive.toSorted((a, b) => a.sentAt - b.sentAt);
    const message = `the target has stopped responding: ${this.#consecutive.length} requests in a row timed out, the first of them ${shown(first)}`;
    this.#availability.lose({ code: 'unreachable', message });
  }
}

function shown({ operation, request: { method, url, body } }: Exchange): string {
  const text = Buffer.from(body ?? []).toString();
  const sent = text.length > MOST_SHOWN ? `a body of ${text.length} characters` : `the body ${text}`;
  return `${operation} (${method} ${new URL(url).pathname}${text === '' ? '' : ` with ${sent}`})`;
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

import { headersIn } from '../engines/response-head.ts';
import type { FlowResponse } from './types.ts';
import { IterationEnd } from './errors.ts';
import type { FlowOutcome } from './exchanger.ts';

/** The headers of a head; values of one name are joined. */
function joinedHeaders(head: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of headersIn(head))
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  return headers;
}

/** A response as a flow sees it; headers and body are parsed on first use. */
export class LazyFlowResponse implements FlowResponse {
  readonly status: number;
  readonly latencyMs: number;
  readonly #outcome: FlowOutcome;
  readonly #operation: string;
  #headers: Record<string, string> | undefined;
  #text: string | undefined;

  constructor(outcome: FlowOutcome, operation: string, latencyMs: number) {
    this.status = outcome.status;
    this.latencyMs = latencyMs;
    this.#outcome = outcome;
    this.#operation = operation;
  }

  get headers(): Readonly<Record<string, string>> {
    return (this.#headers ??= joinedHeaders(this.#outcome.kept?.head ?? Buffer.alloc(0)));
  }

  get text(): string {
    return (this.#text ??= this.#outcome.kept?.body.toString('utf8') ?? '');
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it expects
  json<T>(): T {
    try {
      return JSON.parse(this.text) as T;
    } catch (cause) {
      const shown = this.text.length > 60 ? `${this.text.slice(0, 60)}…` : this.text;
      throw new IterationEnd(`${this.#operation} answered ${this.status} with a body that is not JSON: "${shown}"`, {
        cause,
      });
    }
  }
}

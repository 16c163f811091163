import { STATUS_CODES } from 'node:http';
import type { Answer } from './answer.ts';

/** Messages by field or parameter. */
export type FieldErrors = Record<string, string[]>;

/** Rejects a request; becomes problem details (RFC 9457). */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: FieldErrors | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(status: number, detail: string, errors?: FieldErrors, headers?: Record<string, string>) {
    super(detail);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }
}

let traces = 0;

export function problem(status: number, detail: string, errors?: FieldErrors): Answer {
  const trace = (++traces).toString(16).padStart(32, '0');
  const body: Record<string, unknown> = {
    type: `https://www.rfc-editor.org/rfc/rfc9110#status.${status}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    traceId: `00-${trace}-${trace.slice(16)}-00`,
  };
  if (errors !== undefined) body['errors'] = errors;
  return { status, body, type: 'application/problem+json' };
}

/** The response for an error; anything but a {@link Refusal} is a defect of the service. */
export function answerFor(error: unknown): Answer {
  if (!(error instanceof Refusal)) return problem(500, 'The service failed.');
  const answer = problem(error.status, error.message, error.errors);
  if (error.headers !== undefined) answer.headers = error.headers;
  return answer;
}

export function badRequest(detail: string, errors?: FieldErrors): Refusal {
  return new Refusal(400, detail, errors);
}

export function notFound(what: string, id: string): Refusal {
  return new Refusal(404, `There is no ${what} ${id}.`);
}

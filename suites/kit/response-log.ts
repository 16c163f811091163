import { adviceFor, isReached, isSuccess } from '../../spec/index.ts';
import type { Exchange, Operation, TestRecord } from '../../spec/index.ts';
import type { RequestSpec } from './context.ts';

/** Counts of the responses of one operation in one form with one status. */
type Counts = { -readonly [K in keyof Recorded]: Recorded[K] } & { valid: number };

type Recorded = TestRecord['statuses'][number];

/** Counts the responses to the requests of a test. */
export class ResponseLog {
  readonly #counts = new Map<string, Counts>();
  /** The first server error of each operation and status. */
  readonly serverErrors = new Map<string, { readonly operation: Operation; readonly exchange: Exchange }>();

  add(operation: Operation, exchange: Exchange, request: RequestSpec): void {
    const { form, response } = exchange;
    const status = response === undefined ? '000' : String(response.status);
    const key = `${exchange.operation}\u0000${form}\u0000${status}`;
    const known = this.#counts.get(key) ?? {
      operation: exchange.operation,
      form,
      status,
      count: 0,
      valid: 0,
      ...(redirects(operation, status) ? { redirects: true as const } : {}),
    };
    if (known.count === 0 && (response?.status ?? 0) >= 500) this.serverErrors.set(key, { operation, exchange });
    known.count += 1;
    if (isValid(operation, exchange, request)) known.valid += 1;
    this.#counts.set(key, known);
  }

  get all(): TestRecord['statuses'] {
    return [...this.#counts.values()];
  }

  /** Why a test without findings shows nothing: it sent no request, or every valid one was refused. Requests to `operation` decide, where there are any. */
  whyVacuous(operation: Operation | undefined, sentNothing: string): string | undefined {
    if (this.#counts.size === 0) return sentNothing;
    const withValid = [...this.#counts.values()].filter(({ valid }) => valid > 0);
    const own = withValid.filter((each) => each.operation === operation?.id);
    const relevant = own.length > 0 ? own : withValid;
    if (relevant.length === 0 || relevant.some((each) => isReached(each))) return undefined;
    const statuses = [...new Set(relevant.map(({ status }) => status))].toSorted();
    return `every valid request was refused (${statuses.join(', ').replace('000', 'no response')})${adviceFor(statuses)}`;
  }
}

/** True where the description has this redirect, and no 2xx, as the success of the operation. */
function redirects({ responses }: Operation, status: string): boolean {
  const isDescribed = /^3(?!04)/.test(status) && responses.some((each) => each.status === status);
  return isDescribed && !responses.some((each) => each.status.startsWith('2'));
}

/** True for a response that shows whether the operation can be reached: one to a valid request, or a success of one that may be valid. */
function isValid(
  operation: Operation,
  { identity, request, response }: Exchange,
  { valid, expect, authorization, tampering }: RequestSpec,
): boolean {
  const { method, permission } = operation;
  const isKnown = valid ?? (expect === 'success' ? true : undefined);
  if (isKnown !== undefined) return isKnown;
  const isAuthorised = (authorization ?? tampering) === undefined && (identity === 'full' || permission === 'none');
  const status = response?.status ?? 0;
  return isAuthorised && request.method === method && (isSuccess(status) || redirects(operation, String(status)));
}

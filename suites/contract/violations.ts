import { ifSkipped } from '../../domain/context.ts';
import { sendValid } from '../../domain/requests.ts';
import { isServed, isSuccess } from '../../spec/index.ts';
import type { Exchange, FindingCode, Form, Grade, Operation, Violation } from '../../spec/index.ts';
import type { TestContext } from '../kit/context.ts';
import { violationOf } from '../kit/violation.ts';

/** Status of a response; 0 without a response. */
export function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

/** True for no response and for server errors, which the checks of single exchanges report. */
export function isJudgedElsewhere(status: number): boolean {
  return status === 0 || status >= 500;
}

/**
 * Skips the test where a valid request gets the same refusal, which then says nothing about an error in a request: a limit to the
 * number of items, or a feature that is not set up, may be looked at first.
 */
export async function skipIfRefusedAnyway(
  t: TestContext,
  operation: Operation,
  form: Form,
  status: number,
): Promise<void> {
  if (status < 400 || status >= 500) return;
  const valid = await sendValid(t, operation, form, (request) => request).catch(ifSkipped);
  if (valid?.response?.status === status) t.skip(`valid requests are refused with ${status}, too`);
}

/** How an unexpected status is reported. */
export interface StatusRule {
  readonly code: FindingCode;
  /** Code for a success; default: `code`. */
  readonly served?: FindingCode;
  readonly requirement?: string;
  /** Default: the grade of the requirement. */
  readonly grade?: Grade | undefined;
  /** Distinguishes requests with the same code. */
  readonly slug?: string;
  /** The request in a message, for example "an unknown id". */
  readonly request: string;
  readonly expected: string;
}

/** A violation where the status of a response is not as expected. */
export function wrongStatus(operation: Operation, exchange: Exchange, rule: StatusRule): Violation {
  const { code, served, slug, request, requirement, grade, expected } = rule;
  const status = statusOf(exchange);
  const isServed = served !== undefined && isSuccess(status);
  const subject = [slug ?? [], isServed ? [] : status].flat().join(' ');
  return violationOf(isServed ? served : code, operation, {
    subject: subject === '' ? undefined : subject,
    requirement,
    grade,
    message: `${operation.id} answers ${request} with status ${status}`,
    expected,
    received: `status ${status}`,
    exchanges: [exchange],
  });
}

/** Reports such a violation. */
export function reportStatus(t: TestContext, ...given: Parameters<typeof wrongStatus>): void {
  t.report(wrongStatus(...given));
}

export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, at) => each === b[at]);
}

/** A success with another content than JSON, which is judged with every response. */
export function isNoJson(exchange: Exchange): boolean {
  return isServed(exchange) && exchange.response.body.byteLength > 0 && exchange.response.json === undefined;
}

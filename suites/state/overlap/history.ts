import type { Exchange, Operation } from '../../../spec/index.ts';
import type { Answer, Known, Request } from '../../oracle/index.ts';
import { isRead, ONE_THING } from '../../oracle/index.ts';
import type { RequestSpec, TestContext } from '../../kit/context.ts';
import { answerOf, askFor, operationIdFor } from '../sequences/subject.ts';
import type { Family, Subject } from '../sequences/subject.ts';
import type { Call, Sequential } from './linearizability.ts';

/** A call on one subject, as it was recorded. */
export interface Recorded extends Call<Request, Answer> {
  readonly subject: Subject;
  readonly exchange: Exchange;
}

/** The oracle over one subject, beginning with what was known of it. */
export function oracleOf(known: Known): Sequential<Known, Request, Answer> {
  return { ...ONE_THING, initial: [known] };
}

/** A call that is ready to leave. */
export interface Ready {
  readonly subject: Subject;
  readonly request: Request;
  readonly operation: Operation;
  readonly ask: RequestSpec;
}

/** Makes a call ready, so that several can leave at the same moment, in the order that is wanted. */
export async function ready(t: TestContext, family: Family, subject: Subject, request: Request): Promise<Ready> {
  const operation = t.session.contract.operation(operationIdFor(family, request.kind) ?? '');
  if (operation === undefined) return t.skip(`the description has no operation to ${request.kind}`);
  return { subject, request, operation, ask: await askFor(t, subject, request) };
}

/** Sends a call and records when it began and ended. */
export async function record(
  t: TestContext,
  { subject, request, operation, ask }: Ready,
  formAt: number,
  delayMs = 0,
): Promise<Recorded> {
  const form = operation.forms[formAt % operation.forms.length];
  if (delayMs > 0)
    await new Promise((resolve) => {
      setTimeout(resolve, delayMs);
    });
  const invoked = performance.now();
  const exchange = await t.send(operation, { ...ask, label: request.kind, ...(form === undefined ? {} : { form }) });
  const answer = answerOf(exchange, subject);
  const answered = exchange.response !== undefined && answer.status < 500;
  return {
    subject,
    request,
    invoked,
    returned: answered ? performance.now() : Infinity,
    exchange,
    ...(answered ? { answer: plain(request, answer) } : {}),
  };
}

/** What a write answers is judged apart from the order of calls. */
function plain(request: Request, answer: Answer): Answer {
  return isRead(request) ? answer : { status: answer.status };
}

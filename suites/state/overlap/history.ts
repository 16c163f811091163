import type { Exchange } from '../../../spec/index.ts';
import type { Answer, Known, Request } from '../../oracle/index.ts';
import { ONE_THING } from '../../oracle/index.ts';
import type { Trial } from '../../session/trial.ts';
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

/** Sends a call and records when it began and ended. */
export async function record(trial: Trial, family: Family, subject: Subject, request: Request, formAt: number): Promise<Recorded> {
  const operation = trial.session.contract.operation(operationIdFor(family, request.kind) ?? '');
  if (operation === undefined) return trial.skip(`the description has no operation to ${request.kind}`);
  const ask = await askFor(trial, subject, request);
  const form = operation.forms[formAt % operation.forms.length];
  const invoked = performance.now();
  const exchange = await trial.send(operation, { ...ask, label: request.kind, ...(form === undefined ? {} : { form }) });
  const answer = answerOf(exchange, subject);
  const answered = exchange.response !== undefined && answer.status < 500;
  return { subject, request, invoked, returned: answered ? performance.now() : Infinity, exchange, ...(answered ? { answer: plain(request, answer) } : {}) };
}

/** What a write answers is judged apart from the order of calls. */
function plain({ kind }: Request, answer: Answer): Answer {
  return isRead(kind) ? answer : { status: answer.status };
}

export function isRead(kind: Request['kind']): boolean {
  return kind === 'read' || kind === 'list' || kind === 'list-active';
}

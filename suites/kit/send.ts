import type { RequestPlan } from '../../client/index.ts';
import { bodyContent, concreteType } from '../../generators/index.ts';
import { writeBody } from '../../spec/index.ts';
import type { Exchange, Operation } from '../../spec/index.ts';
import { crosses } from '../../domain/crossing.ts';
import { checkDeadline } from './deadline.ts';
import { journaled } from './journaled.ts';
import type { Session } from './session.ts';
import { Skip, Unreachable } from './context.ts';
import type { RequestSpec } from './context.ts';

/** Failures that say the target is gone rather than that it answered badly. */
const GONE = new Set(['refused', 'dns', 'tls']);

/** A refused connection is tried again after these many milliseconds: a restart or a full backlog is not the end. */
const SECOND_CHANCES_MS = [100, 400, 1500];

/** A reset is tried again after these many milliseconds: a server that closes its idle connections may close several at once. */
const RESET_CHANCES_MS = [0, 50];

/**
 * Sends one request within the allowed effects and the time of the run. A connection that broke before any answer is tried again, since a
 * server may close its idle connections just as a request leaves; what breaks each time is the target's doing.
 */
export async function sendWithCare(session: Session, operation: Operation, ask: RequestSpec): Promise<Exchange> {
  checkDeadline(session.deadline);
  if (session.lost !== undefined) throw new Unreachable(session.lost);
  if (!session.allows(operation.effect)) throw new Skip(`the effect ${operation.effect} is not allowed`);
  if ((ask.method ?? operation.method) !== 'GET' && !session.allows('reversible'))
    throw new Skip('only reading is allowed');
  if (crosses(session.contract, operation, ask.path ?? {}))
    throw new Skip(`with such a path ${operation.id} would be another operation`);
  count(session, operation, ask);
  const plan = planOf(operation, ask);
  return session.deadline.within(journaled(session, plan, () => persist(session, plan)));
}

/** Throws {@link Skip} once an operation had as many requests as it may; the limit never hinders a removal. */
function count({ sent, options }: Session, { id, method }: Operation, ask: RequestSpec): void {
  const made = (sent.get(id) ?? 0) + 1;
  if (options.maxRequests !== undefined && made > options.maxRequests && (ask.method ?? method) !== 'DELETE') {
    throw new Skip(`the ${options.maxRequests} requests that one operation may get (--max-requests) are used up`);
  }
  sent.set(id, made);
}

async function persist(session: Session, plan: RequestPlan): Promise<Exchange> {
  let exchange = await session.target.send(plan);
  for (const delay of RESET_CHANCES_MS) {
    if (exchange.failure?.kind !== 'reset') break;
    await new Promise((resolve) => {
      setTimeout(resolve, delay);
    });
    exchange = await session.target.send(plan);
  }
  for (const delay of SECOND_CHANCES_MS) {
    if (!GONE.has(exchange.failure?.kind ?? '')) break;
    await new Promise((resolve) => {
      setTimeout(resolve, delay);
    });
    exchange = await session.target.send(plan);
  }
  const { failure } = exchange;
  if (failure !== undefined && (GONE.has(failure.kind) || failure.kind === 'aborted' || failure.kind === 'other')) {
    if (GONE.has(failure.kind)) session.lost ??= `the target can't be reached any more: ${failure.message}`;
    throw new Unreachable(session.lost ?? failure.message);
  }
  heedPutOff(session, exchange);
  return exchange;
}

/** So many requests in a row that are told to come later mean that the target serves nobody now. */
const MOST_PUT_OFF = 10;

/** 429, and 503 with a time to come again, are a gateway's word and say nothing of the service: what waited in vain is left untried. */
function heedPutOff(session: Session, { operation, response }: Exchange): void {
  const later =
    response?.status === 429 || (response?.status === 503 && response.headers.some(([name]) => name === 'retry-after'));
  session.putOff = later ? (session.putOff ?? 0) + 1 : 0;
  if (!later) return;
  const why = `answers ${response.status} (later), also after all the waiting that this run may do`;
  if (session.putOff < MOST_PUT_OFF) throw new Skip(`${operation} ${why}`);
  session.lost ??= `the target ${why}; a lower --max-rate may help`;
  throw new Unreachable(session.lost);
}

function planOf(operation: Operation, ask: RequestSpec): RequestPlan {
  const { form, json, body: given, label: _label, expect: _expect, proof: _proof, ...rest } = ask;
  const chosen = operation.forms.find((each) => each.name === form?.name) ?? operation.forms[0];
  if (chosen === undefined) throw new Error(`${operation.id} has no form`);
  const body =
    json === undefined ? given : writeBody(concreteType(bodyContent(operation.body)?.type ?? 'application/json'), json);
  return { operation, form: chosen, ...acceptOf(operation), ...rest, ...(body === undefined ? {} : { body }) };
}

/** Where a description offers no JSON, to ask for it would be a mistake of ours. */
function acceptOf(operation: Operation): { accept?: string } {
  const offered = operation.responses.find((each) => each.status.startsWith('2'))?.content ?? [];
  return offered.length === 0 || offered.some(({ type }) => /json|\*/.test(type)) ? {} : { accept: '*/*' };
}

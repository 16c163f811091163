import { isSuccess, mayLack } from '../../../spec/index.ts';
import type { Exchange, Operation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { requestsOf, sampleRequest } from '../cases/plain.ts';
import type { Case } from '../hunt/case.ts';
import { exchangeFlaws } from '../hunt/flaw.ts';
import type { Flaw } from '../hunt/flaw.ts';
import { sendCase } from './stage.ts';
import type { Outcome, Stage } from './stage.ts';

/** Sends a case and lets the checks of single exchanges judge the answer. */
export async function tryServed(t: TestContext, operation: Operation, value: Case, stage: Stage): Promise<Outcome> {
  const exchange = await sendCase(t, operation, value, stage);
  const flaws = exchangeFlaws(t.session, operation, exchange, value.served === true ? 'success' : 'any');
  const status = exchange.response?.status ?? 0;
  const unlike = value.served === true && mayLack(operation, status) && (await takesPlain(t, operation, stage));
  return { exchange, flaws: unlike ? [...flaws, refusedShape(operation, exchange, status)] : flaws };
}

/** Whether the plainest body is taken; then nothing lacks for any other. */
function takesPlain(t: TestContext, operation: Operation, stage: Stage): Promise<boolean> {
  return t.session.once(`plainest ${operation.id}`, () => sendPlain(t, operation, stage));
}

async function sendPlain(t: TestContext, operation: Operation, stage: Stage): Promise<boolean> {
  const arbitrary = requestsOf(t.session.contract, operation);
  if (arbitrary === undefined) return false;
  const exchange = await sendCase(
    t,
    operation,
    { request: sampleRequest(operation, arbitrary), form: 0, label: 'the plainest' },
    stage,
  );
  return isSuccess(exchange.response?.status ?? 0);
}

function refusedShape(operation: Operation, exchange: Exchange, status: number): Flaw {
  return {
    check: 'raw-accepted',
    operation,
    requirement: 'raw.any-shape',
    kind: `refused with ${status}`,
    message: `${operation.id} takes plain raw data and refuses this with ${status}`,
    expected: 'a success, as for other raw data: it is a JSON object of arbitrary shape',
    received: `status ${status}`,
    exchanges: [exchange],
    final: true,
  };
}

import { isServed, isSuccess, mayLack } from '../../../spec/index.ts';
import type { Exchange, Operation } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { mayBePastEnd } from '../../../domain/read-list.ts';
import { generatedRequests, sampleRequest } from '../cases/plain.ts';
import type { Case } from '../case.ts';
import { exchangeViolations, caseKey } from '../violation.ts';
import type { CaseViolation } from '../violation.ts';
import type { Fixture } from './fixture.ts';
import { NAME, requestSpecOf, sendCase } from './slot.ts';
import type { CaseOutcome, Slot } from './slot.ts';

/** Sends a case and judges the response. */
export async function tryServed(t: TestContext, operation: Operation, value: Case, slot: Slot): Promise<CaseOutcome> {
  const exchange = await sendCase(t, operation, value, slot);
  const status = exchange.response?.status ?? 0;
  const isPastEnd = status === 404 && mayBePastEnd(operation, value.request.query);
  const mustServe = value.served === true && !isPastEnd && !(status === 409 && mayRepeat(operation, value));
  const violations = exchangeViolations(t.session, operation, exchange, mustServe ? 'success' : 'any');
  const isRefused = value.served === true && mayLack(operation, status) && (await isPlainServed(t, operation, slot));
  return {
    exchange,
    violations: isRefused ? [...violations, refusedRawData(operation, exchange, status)] : violations,
  };
}

/** True for data without a name of its own: another case, or an earlier run with the same seed, may have stored the same. */
function mayRepeat({ method }: Operation, { request: { body }, rawBody = '' }: Case): boolean {
  return method === 'POST' && !`${JSON.stringify(body?.value)}${rawBody}`.includes(NAME);
}

/** Whether the plain request is served: then everything that other bodies need exists. */
function isPlainServed(t: TestContext, operation: Operation, slot: Slot): Promise<boolean> {
  return t.once(`plain request ${operation.id}`, async () => {
    const arbitrary = generatedRequests(t.contract, operation);
    if (arbitrary === undefined) return false;
    const plain = { request: sampleRequest(operation, arbitrary), form: 0, label: 'plain request' };
    return isSuccess((await sendCase(t, operation, plain, slot)).response?.status ?? 0);
  });
}

function refusedRawData(operation: Operation, exchange: Exchange, status: number): CaseViolation {
  return {
    code: 'raw-accepted/refused',
    subject: String(status),
    operation,
    requirement: 'raw.any-shape',
    // Gateways refuse texts that look like an attack with 403.
    ...(status === 403 ? { grade: 'inferred' as const } : {}),
    message: `${operation.id} refuses raw data of this shape with ${status}, but accepts plain raw data`,
    expected: 'success, as for other raw data: raw data is a JSON object of any shape',
    received: `status ${status}`,
    exchanges: [exchange],
    isFinal: true,
  };
}

/** Sends one plain request twice, byte for byte; returns the violations that only the second response shows, where the first is a success. */
export async function sendTwice(
  t: TestContext,
  { operation, sample, slots }: Pick<Fixture, 'operation' | 'sample' | 'slots'>,
): Promise<{ value: Case; violations: readonly CaseViolation[] } | undefined> {
  const value: Case = { request: sample, form: 0, served: true };
  if (!JSON.stringify(value.request.body?.value ?? null).includes(NAME)) return undefined;
  return slots.use(async (slot) => {
    const request = requestSpecOf(t, operation, value, slot);
    const first = await t.sendQuietly(operation, { ...request, label: 'first time' });
    if (!isServed(first)) return undefined;
    const second = await t.sendQuietly(operation, { ...request, label: 'the same again' });
    const isConflict = second.response?.status === 409;
    const known = new Set(exchangeViolations(t.session, operation, first).map(caseKey));
    const all = exchangeViolations(t.session, operation, second, isConflict ? 'any' : 'success');
    const violations = all.filter((each) => !known.has(caseKey(each)));
    return { value, violations: violations.map((each) => ({ ...each, exchanges: [first, second] })) };
  });
}

import { expect, it } from 'vitest';
import { loadContract } from '../../../spec/index.ts';
import type { Exchange, JsonObject, Operation } from '../../../spec/index.ts';
import { fullRequest, generatedRequests } from '../cases/plain.ts';
import { withBodyValue } from '../case.ts';
import type { Case } from '../case.ts';
import type { CaseOutcome } from './slot.ts';
import { testInParts } from './in-parts.ts';

const contract = await loadContract();
const operation = contract.operations.find(({ id }) => id === 'POST /accesscontrolpolicies') as Operation;
const arbitrary = generatedRequests(contract, operation) as NonNullable<ReturnType<typeof generatedRequests>>;
const base = fullRequest(operation, arbitrary);
const plain = base.body?.value as JsonObject;

/** The bodies that are sent to a server that refuses those for which `refuses` is true. */
async function bodiesSent(body: JsonObject, refuses: (body: JsonObject) => boolean): Promise<readonly JsonObject[]> {
  const sent: JsonObject[] = [];
  const test = async ({ request }: Case): Promise<CaseOutcome> => {
    const value = request.body?.value as JsonObject;
    sent.push(value);
    const exchange = { response: { status: refuses(value) ? 400 : 200 } } as Exchange;
    return { exchange, violations: [] };
  };
  await testInParts(contract, { operation, base }, test, { request: withBodyValue(base, body), form: 0 });
  return sent;
}

it('finds a part of a refused body that is accepted', async () => {
  const sent = await bodiesSent(
    { ...plain, name: 'other', description: 'x'.repeat(300) },
    (body) => body['name'] === 'other',
  );
  expect(sent).toContainEqual({ ...plain, description: 'x'.repeat(300) });
});

it('stops where missing members are the reason for the refusal', async () => {
  const { name: _name, description: _description, ...rest } = plain;
  const sent = await bodiesSent({ ...rest, isActive: null }, () => true);
  expect(sent.length).toBeLessThan(8);
});

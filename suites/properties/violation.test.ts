import { expect, test } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { Exchange } from '../../spec/index.ts';
import { withBodyValue } from './case.ts';
import { generatedRequests } from './cases/plain.ts';
import { placesOf } from './places.ts';
import { reportedViolation } from './violation.ts';

test('a violation shows the values that were sent, not the placeholders of the case', async () => {
  const contract = await loadContract();
  const operation = contract.operation('POST /aijob') ?? expect.fail('no jobs');
  const arbitrary = generatedRequests(contract, operation) ?? expect.fail('no requests');
  const plain = withBodyValue(arbitrary.simplest, { name: 'assay-name' });
  const request = withBodyValue(plain, { name: 'assay-name', endpointId: '00000000-0000-4000-8000-0000000e9d01' });
  const sent = { name: 'assay-1-p1', endpointId: '9a1d3c5e-7f90-4b2d-8e6a-0c1b2d3e4f50' };
  const body = new TextEncoder().encode(JSON.stringify(sent));
  const exchange = { operation: operation.id, request: { body } } as unknown as Exchange;
  const { message } = reportedViolation(
    { operation, examples: [], test: () => Promise.resolve([]), shrinker: arbitrary },
    {
      code: 'valid-request-served/refused',
      operation,
      message: 'refused',
      expected: '200',
      received: '400',
      exchanges: [exchange],
      isFinal: true,
    },
    { request, form: 0 },
    placesOf(contract, operation, request, plain),
  );
  expect(message).toContain(sent.endpointId);
});

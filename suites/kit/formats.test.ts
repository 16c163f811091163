import { expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import { bodyFormats, NO_FORMATS, responseFormats } from './formats.ts';

const contract = await loadContract();

it('knows formats at any depth, through references, lists and maps', () => {
  const job = contract.operation('PUT /aijob/{id}') ?? expect.fail('no jobs');
  const policy = contract.operation('GET /accesscontrolpolicies/{id}') ?? expect.fail('no policies');
  const sent = bodyFormats(contract, job);
  expect(sent('/aiAgentId')).toBe('uuid');
  expect(sent('/name')).toBe('plain');
  expect(sent('/dataSources/3/filterRule/rules/0/objectTypeId')).toBe('uuid');
  expect(sent('/metadata/a~1b')).toBe('plain');
  expect(sent('/not/there')).toBeUndefined();
  const read = responseFormats(contract, policy);
  expect(read('/createdAt')).toBe('date-time');
  expect(read('/condition/value/0')).toBeUndefined();
  expect(NO_FORMATS('/name')).toBeUndefined();
});

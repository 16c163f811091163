import { expect, it } from 'vitest';
import { loadContract } from '../spec/index.ts';
import { mayBePastEnd } from './read-list.ts';

it('only a page other than the first may be past the end', async () => {
  const contract = await loadContract();
  const asks = (id: string, query: Readonly<Record<string, number>>): boolean => {
    const operation = contract.operation(id);
    return operation !== undefined && mayBePastEnd(operation, query);
  };
  expect(asks('GET /accesscontrolpolicies', { page: 1 })).toBe(true);
  expect(asks('GET /accesscontrolpolicies', { page: 0 })).toBe(false);
  expect(asks('GET /accesscontrolpolicies', { take: 50 })).toBe(false);
  expect(asks('GET /aijob/{id}/runs', { pageNumber: 2 })).toBe(true);
  expect(asks('GET /aijob/{id}/runs', { pageNumber: 1 })).toBe(false);
  expect(asks('GET /auditLog/getByObjectTypeIds', { page: 1 })).toBe(true);
  expect(asks('GET /aijobskills', { page: 3 })).toBe(false);
});

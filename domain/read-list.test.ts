import { expect, it } from 'vitest';
import { loadContract } from '../spec/index.ts';
import { mayBePastEnd } from './read-list.ts';

it('only a page other than the first may be past the end', async () => {
  const contract = await loadContract();
  const mayBe404 = (id: string, query: Readonly<Record<string, number>>): boolean => {
    const operation = contract.operation(id);
    return operation !== undefined && mayBePastEnd(operation, query);
  };
  expect(mayBe404('GET /accesscontrolpolicies', { page: 1 })).toBe(true);
  expect(mayBe404('GET /accesscontrolpolicies', { page: 0 })).toBe(false);
  expect(mayBe404('GET /accesscontrolpolicies', { take: 50 })).toBe(false);
  expect(mayBe404('GET /aijob/{id}/runs', { pageNumber: 2 })).toBe(true);
  expect(mayBe404('GET /aijob/{id}/runs', { pageNumber: 1 })).toBe(false);
  expect(mayBe404('GET /auditLog/getByObjectTypeIds', { page: 1 })).toBe(true);
  expect(mayBe404('GET /aijobskills', { page: 3 })).toBe(false);
});

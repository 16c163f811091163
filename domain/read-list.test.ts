import { expect, it } from 'vitest';
import { loadContract } from '../spec/index.ts';
import type { Exchange, Json } from '../spec/index.ts';
import type { ApiContext } from './context.ts';
import { mayBePastEnd, readLong, walk } from './read-list.ts';

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

/** A deployment that shows at most 30 items on a page, but skips as many as were requested for the pages before. */
function shortened(items: readonly Json[], page: number, take: number): readonly Json[] {
  return items.slice(page * take, page * take + Math.min(take, 30));
}

it('a list is read on behind a first page that a maximum has shortened', async () => {
  const contract = await loadContract();
  const operation = contract.operation('GET /accesscontrolpolicies');
  const items = Array.from({ length: 70 }, (_, index) => ({ id: `item ${index}` }));
  const send: ApiContext['send'] = (_, request) => {
    const { page, take } = request?.query ?? {};
    const json = shortened(items, Number(page), Number(take));
    return Promise.resolve({ response: { status: 200, json } } as unknown as Exchange);
  };
  const seen = operation && (await walk({ contract, send } as unknown as ApiContext, operation, {}));
  expect(seen?.items).toEqual(items);
});

it('a list of items without ids is read to its end, although its pages have equal contents', async () => {
  const contract = await loadContract();
  const operation = contract.operation('GET /aijob/{id}/runs/{runId}/results');
  const items = Array.from({ length: 35 }, () => ({ description: 'a duplicate' }));
  const send: ApiContext['send'] = (_, request) => {
    const [from, size] = [
      Number(request?.query?.['pageNumber']) - 1,
      Math.min(10, Number(request?.query?.['pageSize'])),
    ];
    const json = { totalCount: items.length, data: items.slice(from * size, (from + 1) * size) };
    return Promise.resolve({ response: { status: 200, json } } as unknown as Exchange);
  };
  const seen = operation && (await walk({ contract, send } as unknown as ApiContext, operation, {}));
  expect(seen?.items).toEqual(items);
});

it('a page that fails does not end a list, but a refused one may', async () => {
  const contract = await loadContract();
  const operation = contract.operation('GET /aijob/{id}/runs/{runId}/results');
  const first = { totalCount: 20, data: Array.from({ length: 10 }, (_, index) => ({ id: `item ${index}` })) };
  const readTo = (status: number): ReturnType<typeof readLong> | undefined =>
    operation &&
    readLong(operation, 500, (index) =>
      Promise.resolve({ response: index === 0 ? { status: 200, json: first } : { status } } as unknown as Exchange),
    );
  expect(await readTo(500)).toMatchObject({ isWhole: false, failed: { response: { status: 500 } } });
  const refused = await readTo(404);
  expect(refused).toMatchObject({ isWhole: true });
  expect(refused?.failed).toBeUndefined();
});

it('a page past the end that shows the last page again adds no items', async () => {
  const contract = await loadContract();
  const operation = contract.operation('GET /accesscontrolpolicies');
  const items = Array.from({ length: 40 }, (_, index) => ({ id: `item ${index}` }));
  const send: ApiContext['send'] = (_, request) => {
    const json = items.slice(Math.min(Number(request?.query?.['page']), 1) * 20).slice(0, 20);
    return Promise.resolve({ response: { status: 200, json } } as unknown as Exchange);
  };
  const seen = operation && (await walk({ contract, send } as unknown as ApiContext, operation, {}, 20));
  expect(seen?.items).toEqual(items);
});

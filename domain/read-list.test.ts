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

/** The items that are read from the pages that a deployment answers, by their query. */
async function itemsRead(
  id: string,
  answer: (query: Readonly<Record<string, number>>) => Json,
  pageSize?: number,
): Promise<readonly Json[] | undefined> {
  const contract = await loadContract();
  const operation = contract.operation(id);
  const send: ApiContext['send'] = (_, request) => {
    const json = answer((request?.query ?? {}) as Readonly<Record<string, number>>);
    return Promise.resolve({ response: { status: 200, json } } as unknown as Exchange);
  };
  const t = { contract, send } as unknown as ApiContext;
  return operation && (await walk(t, operation, {}, pageSize))?.items;
}

it('a list is read on behind a first page that a maximum has shortened', async () => {
  const items = Array.from({ length: 70 }, (_, index) => ({ id: `item ${index}` }));
  // At most 30 items on a page; but as many are skipped as were requested for the pages before.
  const seen = await itemsRead('GET /accesscontrolpolicies', ({ page = 0, take = 20 }) =>
    items.slice(page * take, page * take + Math.min(take, 30)),
  );
  expect(seen).toEqual(items);
});

it('a list of items without ids is read to its end, although its pages have equal contents', async () => {
  const items = Array.from({ length: 35 }, () => ({ description: 'a duplicate' }));
  const seen = await itemsRead('GET /aijob/{id}/runs/{runId}/results', ({ pageNumber = 1, pageSize = 10 }) => {
    const size = Math.min(10, pageSize);
    return { totalCount: items.length, data: items.slice((pageNumber - 1) * size, pageNumber * size) };
  });
  expect(seen).toEqual(items);
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
  const items = Array.from({ length: 40 }, (_, index) => ({ id: `item ${index}` }));
  const lastAgain = ({ page = 0 }): readonly Json[] => items.slice(Math.min(page, 1) * 20).slice(0, 20);
  expect(await itemsRead('GET /accesscontrolpolicies', lastAgain, 20)).toEqual(items);
});

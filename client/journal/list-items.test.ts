import { expect, test } from 'vitest';
import { integer, operation, targetServing } from '../testing/fixtures.ts';
import { listItems } from './list-items.ts';
import type { ListedItems } from './list-items.ts';

/** Lists what a service returns for each query: a page of items, or a status without one. */
async function list(
  names: readonly string[],
  answer: (query: URLSearchParams) => number[] | number,
): Promise<ListedItems> {
  const target = await targetServing((request, response) => {
    const answered = answer(new URL(request.url ?? '', 'http://x').searchParams);
    response.setHeader('content-type', 'application/json');
    if (typeof answered === 'number') response.writeHead(answered).end('{}');
    else response.end(JSON.stringify(answered.map((id) => ({ id }))));
  });
  const parameters = names.map((name) => integer(name, name === 'limit' ? 2 : 0));
  return listItems(target, operation({ path: '/things', parameters }));
}

const ids = ({ items }: ListedItems): readonly unknown[] => items.map((item) => (item as { id: number }).id);

test('a list that begins with page 1 and refuses the page behind its last one is read whole', async () => {
  const pages: Readonly<Record<string, number[]>> = { 1: [1, 2], 2: [3] };
  const listed = await list(['page'], (query) => pages[query.get('page') ?? ''] ?? 404);
  expect(ids(listed)).toEqual([1, 2, 3]);
  expect(listed.incomplete).toBeUndefined();
});

test('a page that fails leaves the list incomplete', async () => {
  const later = await list(['page'], (query) => (query.get('page') === '2' ? 500 : [Number(query.get('page'))]));
  expect(ids(later)).toEqual([0, 1]);
  expect(later.incomplete).toBe('GET /things: no list in the response (500)');
});

test('a first page that fails is not taken for one that does not exist', async () => {
  const first = await list(['page'], (query) => (query.get('page') === '0' ? 500 : [1]));
  expect(first).toEqual({ items: [], incomplete: 'GET /things: no list in the response (500)' });
});

test('a list is read by offset', async () => {
  const listed = await list(['offset', 'limit'], (query) =>
    [1, 2, 3, 4, 5].slice(Number(query.get('offset'))).slice(0, 2),
  );
  expect(ids(listed)).toEqual([1, 2, 3, 4, 5]);
});

test('a list with another status of success, and one that only another form shows, are read', async () => {
  const target = await targetServing((request, response) => {
    const isServed = request.url?.startsWith('/api/things') === true;
    response.writeHead(isServed ? 202 : 500, { 'content-type': 'application/json' }).end('[{"id":1}]');
  });
  const forms = ['/api', '/api/v1'].map((name) => ({ name, path: `${name}/things`, pointer: '' }));
  expect(await listItems(target, operation({ path: '/things', forms }))).toEqual({ items: [{ id: 1 }] });
});

type Pages = readonly (readonly number[] | number)[];

test.each<readonly [what: string, preferred: Pages, other: Pages, shown: readonly number[], isWhole: boolean]>([
  ['of which another form shows all is read', [[1], 500], [[1, 2]], [1, 2], true],
  ['of which another form lacks an item is incomplete', [[1], 500], [[2]], [1, 2], false],
  ['that another form shows to be empty is incomplete', [500], [], [], false],
  ['of which no form shows all is incomplete', [[1], 500], [[1, 2], 500], [1, 2], false],
])('a list %s', async (_what, preferred, other, shown, isWhole) => {
  const target = await targetServing((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const page = (pathname === '/api/things' ? other : preferred)[Number(searchParams.get('page'))] ?? [];
    const [status, numbers] = typeof page === 'number' ? [page, []] : [200, page];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(numbers.map((id) => ({ id }))));
  });
  const forms = ['/api', '/api/v1'].map((name) => ({ name, path: `${name}/things`, pointer: '' }));
  const listed = await listItems(target, operation({ path: '/things', forms, parameters: [integer('page', 0)] }));
  expect(ids(listed)).toEqual(shown);
  expect(listed.incomplete === undefined).toBe(isWhole);
});

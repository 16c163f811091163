import { expect, it } from 'vitest';
import { loadContract } from '../../spec/index.ts';
import type { Json } from '../../spec/index.ts';
import { overHttp } from '../testing/over-http.ts';
import { mustShowFirstPage } from './first-page.ts';

const RUNS: readonly Json[] = [1, 2, 3].map((index) => ({ id: `1b7f1b52-7d5c-4c8a-9d49-00000000000${index}` }));

it.each([
  ['is reported where pages are counted from 0', RUNS, 0, ['paging-base/first-page']],
  ['is not reported where it is the first one', RUNS, 1, []],
  ['is not reported where there are no runs', [], 0, []],
])('the first page of runs %s', async (_, runs, first, codes) => {
  const service = await overHttp({}, ({ line }) => {
    const query = new URL(line.split(' ')[1] ?? '', 'http://host').searchParams;
    const [page, size] = [Number(query.get('pageNumber')), Number(query.get('pageSize'))];
    return { status: 200, json: { data: runs.slice((page - first) * size, (page - first + 1) * size) } };
  });
  const found: string[] = [];
  try {
    const contract = await loadContract();
    await mustShowFirstPage({ ...service.t, contract, report: ({ code }) => void found.push(code) }, 'a');
    expect(found).toEqual(codes);
  } finally {
    await service.close();
  }
});

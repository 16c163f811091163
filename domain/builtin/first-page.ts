import type { Exchange } from '../../spec/index.ts';
import { growingPauses, poll } from '../context.ts';
import type { ApiContext } from '../context.ts';
import { itemsIn } from '../items.ts';
import { operationOf } from './operations.ts';

/**
 * Reports a list of runs whose first page is empty, although it holds a run where pages are shorter: the pages are counted from 0, and
 * page 0 is refused, so that no request returns the first runs.
 */
export async function mustShowFirstPage(t: ApiContext, jobId: string): Promise<void> {
  const runs = operationOf(t, 'runs');
  const read = (pageSize: number): Promise<Exchange> =>
    t.sendQuietly(runs, { path: { id: jobId }, query: { pageNumber: 1, pageSize }, label: `up to ${pageSize}` });
  const short = await read(1);
  if ((itemsIn(short)?.length ?? 0) === 0) return;
  // Read after the short one, and for as long as a cache may keep an empty page: a run that was listed does not disappear.
  const isEmpty = (list: Exchange): boolean => itemsIn(list)?.length === 0;
  const long = await poll(
    () => read(20),
    (list) => !isEmpty(list),
    growingPauses(t.settleMs),
  );
  if (!isEmpty(long)) return;
  t.report({
    code: 'paging-base/first-page',
    subject: 'of runs',
    requirement: 'paging.page-number-one-based',
    operation: runs,
    message: `${runs.id}: page 1 is not the first page`,
    expected: 'runs on page 1 of any size, as with pageSize=1',
    received: 'no runs with pageSize=20',
    exchanges: [short, long],
  });
}

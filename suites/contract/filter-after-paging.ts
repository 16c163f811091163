import { count } from '../../spec/count.ts';
import type { Violation } from '../../spec/index.ts';
import { readPage } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';

/** Most pages that are read after the end of the list: enough where the items of the run are the last of some hundred. */
const MOST_PAGES = 60;

/** Pages that are read at once. */
const AT_ONCE = 6;

/** The violation that filtered items are on no page; with its reason, where they follow the end: the filter applies to single pages. */
export async function withReason(
  t: TestContext,
  fixture: ListFixture,
  size: number,
  violation: Violation | undefined,
): Evaluation {
  const names = Object.keys(fixture.request.query ?? {});
  if (violation?.code !== 'paging-partition/items-lost' || !fixture.isolated || names.length === 0) return violation;
  const key = `a page after the end of ${fixture.operation.id} ${fixture.request.form?.name ?? ''}`;
  // Once: a violation is looked for again until it has lasted long enough.
  const found = await t.once(key, () => findAfterEnd(t, fixture, size));
  if (found === undefined) return violation;
  return {
    ...violation,
    subject: names.join(' '),
    message: `${fixture.operation.id}: ${names.join(', ')} is applied after the list is cut into pages`,
    received: `${violation.received}; ${count(found.ids?.length ?? 0, 'item')} on a page after the end of the list`,
    exchanges: [...violation.exchanges.slice(0, 2), found.exchange],
  };
}

type FoundPage = Awaited<ReturnType<typeof readPage>>;

async function findAfterEnd(t: TestContext, fixture: ListFixture, size: number): Promise<FoundPage | undefined> {
  const end = Math.ceil(fixture.ids.size / size);
  for (let index = end; index < end + MOST_PAGES; index += AT_ONCE) {
    const reads = Array.from({ length: AT_ONCE }, (_, offset) => readPage(t, fixture, index + offset, size));
    const found = (await Promise.all(reads)).find(({ ids = [] }) => ids.some((id) => fixture.ids.has(id)));
    if (found !== undefined) return found;
  }
  return undefined;
}

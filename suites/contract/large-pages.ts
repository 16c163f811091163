import { setTimeout as sleep } from 'node:timers/promises';
import { readPage } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import type { Paging } from '../../domain/read-list.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { violationOf } from '../kit/violation.ts';

/** Page sizes that may be larger than the deployment allows. */
const LARGE = [100, 50] as const;

/** With fewer items after the first page, others may have moved them meanwhile. */
const ENOUGH = 3;

/** The violation that {@link findSkippedBehind} finds with one of the large sizes. */
export async function findSkipped(t: TestContext, fixture: ListFixture, paging: Paging): Evaluation {
  const shortened = await findShortened(t, fixture, LARGE[0]);
  if (shortened !== undefined) return shortened;
  for (const size of LARGE) {
    const violation = await findSkippedBehind(t, fixture, paging, size);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

/** A large page that has more items through another form: a maximum is of both forms. */
async function findShortened(t: TestContext, fixture: ListFixture, size: number): Evaluation {
  const { operation, request } = fixture;
  const other = operation.forms.find(({ name }) => name !== request.form?.name);
  if (other === undefined || request.form === undefined || !t.knowledge.guarantees('forms', operation))
    return undefined;
  const through = { operation, request: { ...request, form: other } };
  const first = await readPage(t, fixture, 0, size);
  const longer = await readPage(t, through, 0, size);
  const missing = longer.ids?.filter((id) => first.ids?.includes(id) === false) ?? [];
  if (missing.length === 0 || (first.ids?.length ?? 0) >= (longer.ids?.length ?? 0)) return undefined;
  // Others may have changed the list, and a cache may keep it through one form: then it is another list after the settle time.
  await sleep(t.settleMs);
  const again = await readPage(t, fixture, 0, size);
  const longerAgain = await readPage(t, through, 0, size);
  if (!missing.every((id) => again.ids?.includes(id) === false && longerAgain.ids?.includes(id) === true))
    return undefined;
  return violationOf('form-equivalence/body', operation, {
    subject: 'large page',
    requirement: 'forms.equivalent',
    message: `${operation.id} shortens pages of ${size} items through ${request.form.name} only`,
    expected: `${longerAgain.ids?.length} items, as through ${other.name}`,
    received: `${again.ids?.length} items`,
    exchanges: [longerAgain.exchange, again.exchange],
  });
}

/** Where a maximum, which is not documented, shortens a large page, the next page of that size must go on behind its last item. */
async function findSkippedBehind(t: TestContext, fixture: ListFixture, paging: Paging, size: number): Evaluation {
  const first = await readPage(t, fixture, 0, size);
  const count = first.ids?.length ?? 0;
  if (count >= size || count < paging.defaultSize) return undefined;
  const behind = await readPage(t, fixture, 1, count);
  const next = await readPage(t, fixture, 1, size);
  const again = await readPage(t, fixture, 0, size);
  const shown = new Set([first, next, again].flatMap(({ ids }) => ids ?? []));
  if (behind.ids === undefined || next.ids === undefined) return undefined;
  if (behind.ids.length < ENOUGH || behind.ids.some((id) => shown.has(id))) return undefined;
  return violationOf('paging-partition/items-lost', fixture.operation, {
    requirement: 'paging.partition',
    message: `${fixture.operation.id}: pages of ${size} leave out items, because the first one is shorter`,
    expected: `the items after the first ${count} on the second page of ${size}`,
    received: `${next.ids.length} other items`,
    exchanges: [first.exchange, behind.exchange, next.exchange],
  });
}

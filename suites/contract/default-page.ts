import { count } from '../../spec/count.ts';
import { isObject, isServed } from '../../spec/index.ts';
import type { Exchange, Json, Parameter, Violation } from '../../spec/index.ts';
import { itemsIn, memberOf } from '../../domain/items.ts';
import { readPage } from '../../domain/list-fixture.ts';
import type { ListFixture } from '../../domain/list-fixture.ts';
import type { Paging } from '../../domain/read-list.ts';
import type { Evaluation, TestContext } from '../kit/context.ts';
import { violationOf } from '../kit/violation.ts';
import { PAGING_REQUIREMENTS } from './page-rules.ts';

/** A list that was read without paging parameters, and that has more items than a page, with another number of them. */
export function findOtherSize(
  { operation, ids }: ListFixture,
  paging: Paging,
  bare: Exchange,
  subject?: string,
): Violation | undefined {
  const length = itemsIn(bare)?.length;
  if (ids.size <= paging.defaultSize || !isServed(bare) || length === undefined || length === paging.defaultSize)
    return undefined;
  return violationOf('paging-defaults/size', operation, {
    subject,
    requirement: PAGING_REQUIREMENTS[paging.first].sizeDefault,
    expected: `${count(paging.defaultSize, 'item')}, the default of ${paging.size}`,
    received: count(length, 'item'),
    exchanges: [bare],
  });
}

/** The list without any query has the default size, too. */
export async function hasDefaultSize(t: TestContext, fixture: ListFixture, paging: Paging): Evaluation {
  const bare = await t.send(fixture.operation, { ...fixture.request, label: 'without any query' });
  return findOtherSize(fixture, paging, bare);
}

/** The default size does not depend on other values of a query, where these select all items of the list. */
export async function hasDefaultSizeWith(
  t: TestContext,
  fixture: ListFixture,
  paging: Paging,
  item: Json | undefined,
): Evaluation {
  const { operation, request, ids } = fixture;
  const values = operation.parameters.flatMap((each) => valuesOf(each, item).map((value) => ({ [each.name]: value })));
  for (const value of fixture.isolated && ids.size > paging.defaultSize ? values : []) {
    const query = { ...request.query, ...value };
    const { ids: all } = await readPage(t, { operation, request: { ...request, query } }, 0, 2 * ids.size);
    if (all?.length !== ids.size) continue;
    const label = `${JSON.stringify(value)} without paging parameters`;
    const bare = await t.send(operation, { ...request, query, label });
    const violation = findOtherSize(fixture, paging, bare, Object.keys(value).join());
    if (violation !== undefined) return violation;
  }
  return undefined;
}

/** Both values of a flag, a direction, a member to sort by, or the value that an item has in the member of the same name. */
function valuesOf({ in: place, name, schema: { schema } }: Parameter, item: Json | undefined): readonly Json[] {
  if (place !== 'query') return [];
  if (isObject(schema) && schema['type'] === 'boolean') return [true, false];
  if (name === 'sortDirection') return [1];
  // A deployment may refuse to sort by it.
  if (name === 'orderBy') return ['name'];
  const value = memberOf(item, name);
  return typeof value === 'string' || typeof value === 'number' ? [value] : [];
}

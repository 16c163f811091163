import { settled } from '../../../domain/context.ts';
import { create } from '../../../domain/create.ts';
import { canonical, idForPath, itemsIn, sameId } from '../../../domain/items.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isServed } from '../../../spec/index.ts';
import type { Exchange, Form, Json } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { violationOf } from '../../kit/violation.ts';

/**
 * For items that can be listed but not read: a list that shows a new item must not show it after its deletion. Skips the test where the
 * first page does not show it.
 */
export async function checkListedRemoval(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const { list, remove, idName } = resource;
  if (list === undefined) return;
  const item = await create(t, resource, { form });
  let last: Exchange = item.created;
  const find = async (): Promise<Json | undefined> => {
    last = await t.send(list, { form, label: 'list' });
    return itemsIn(last)?.find((each) => sameId(idForPath(each, idName), item.id));
  };
  const before = await find();
  if (before === undefined) t.skip(`the first page of ${list.id} does not show what ${resource.create.id} created`);
  const removed = await t.send(remove, { form, path: item.path, label: 'delete' });
  if (!isServed(removed) || removed.response.status === 202) return;
  // A service may mark an item as deleted and still list it, or give its number to the next one.
  const isGone = await settled(t, async () => {
    const now = await find();
    return now === undefined || canonical(now) !== canonical(before);
  });
  if (!isGone)
    t.report(
      violationOf('deleted-is-gone/listed', remove, {
        grade: 'inferred',
        expected: `no item ${item.id} in the list`,
        received: 'it is in the list',
        exchanges: [item.created, removed, last],
      }),
    );
}

import { ifSkipped } from '../../../domain/context.ts';
import { create, returnedId } from '../../../domain/create.ts';
import type { CreatedItem } from '../../../domain/create.ts';
import { sameId } from '../../../domain/items.ts';
import { walkUntil } from '../../../domain/read-list.ts';
import type { Walk } from '../../../domain/read-list.ts';
import type { Resource } from '../../../domain/resources.ts';
import { isObject, isServed } from '../../../spec/index.ts';
import type { Form } from '../../../spec/index.ts';
import type { Evaluate, Evaluation, TestContext } from '../../kit/context.ts';
import { reportViolation, violationOf } from '../../kit/violation.ts';
import { findOtherItemChanged, findUnreadable, otherItem } from './read-back.ts';

/** Items are identified by their ids: an item with the name of an existing or deleted one is another item, where it is not refused. */
export async function sharesName(t: TestContext, resource: Resource, form: Form): Promise<void> {
  const first = await create(t, resource, { form });
  const second = await createNamed(t, first, form, 'create another item with the same name');
  const other = second && (await otherItem(t, second, form));
  if (second !== undefined) await t.holds((t) => findHidden(t, [first, second], form));
  // Each creation makes an item, also the second of two that are alike: one id for both is reported by the creation itself.
  const again = {
    form,
    expect: 'any',
    body: () => second?.sent,
    mark: first.name,
    label: 'send the same again, twice at the same time',
  } as const;
  if (second !== undefined && (await returnedId(t, resource, second.created)) !== undefined)
    await Promise.all([0, 1].map(() => create(t, resource, again).catch(ifSkipped)));
  // A creation must not replace the item whose id its body has.
  const withId = { ...first, sent: { ...(isObject(first.sent) ? first.sent : {}), id: first.id } };
  await createNamed(t, withId, form, 'create another item with the id of the first in the body');
  const { path } = first;
  if (other !== undefined && resource.replace !== undefined && isObject(first.sent)) {
    const json = { ...first.sent, description: `Changed by Assay (${first.name}); safe to delete.` };
    // The path names the item; a deployment may refuse another id in the body.
    const withOther = {
      form,
      path,
      json: { ...json, id: other.item.id },
      label: 'update the first, with the other id',
    };
    const tried = await t.sendQuietly(resource.replace, withOther);
    const updated = isServed(tried)
      ? tried
      : await t.sendQuietly(resource.replace, { form, path, json, label: 'update the first' });
    const find: Evaluate = (t) => findOtherItemChanged(t, other, form, 'updated-reads-back/other-item', updated);
    if (isServed(updated) && !(await t.holds(find))) return;
  }
  await t.knowledge.prepare(t, resource.remove, path);
  const removed = await t.send(resource.remove, { form, path, label: 'delete the first' });
  if (!isServed(removed)) return;
  if (other !== undefined)
    await t.holds((t) => findOtherItemChanged(t, other, form, 'deleted-is-gone/other-item', removed));
  const next = await createNamed(t, first, form, 'create an item with the name of the deleted one');
  if (next === undefined) return;
  if (sameId(next.id, first.id))
    reportViolation(t, 'created-reads-back/same-id', resource.create, {
      requirement: t.knowledge.lifecycleRequirements(resource).distinct,
      expected: 'a new id for each creation',
      received: `${next.id}, the id of the deleted item`,
      exchanges: [removed, next.created],
    });
  await t.holds((t) => findUnreadable(t, next, form));
}

/** One of two items with the same name that the list leaves out. */
async function findHidden(t: TestContext, items: readonly CreatedItem[], form: Form): Evaluation {
  const [{ resource, name } = { resource: undefined, name: '' }] = items;
  const list = resource?.list;
  const isListed = ({ ids }: Walk): boolean => items.every(({ id }) => ids.includes(id.toLowerCase()));
  const seen = list === undefined ? undefined : await walkUntil(t, list, { form }, isListed);
  if (list === undefined || resource === undefined || seen === undefined || isListed(seen)) return undefined;
  const hidden = items.find(({ id }) => !seen.ids.includes(id.toLowerCase()));
  return violationOf('created-reads-back/not-listed', list, {
    requirement: t.knowledge.lifecycleRequirements(resource).listed,
    expected: `both items with the name ${name} in the list`,
    received: `a list without ${hidden?.id ?? ''}`,
    exchanges: [...items.map(({ created }) => created), ...seen.pages.slice(-1)],
  });
}

/** Creates an item with the same name and another description; undefined where it is refused. */
export function createNamed(
  t: TestContext,
  { resource, name: shared, sent }: CreatedItem,
  form: Form,
  label: string,
): Promise<CreatedItem | undefined> {
  const body = (name: string) => ({
    ...(isObject(sent) ? sent : {}),
    name: shared,
    description: `Created by Assay (${name}); safe to delete.`,
  });
  return create(t, resource, { form, expect: 'any', label, body, mark: shared }).catch(ifSkipped);
}

import { freshPolicy } from '../../../domain/builtin/policies.ts';
import { operationOf } from '../../../domain/builtin/operations.ts';
import { settled } from '../../../domain/context.ts';
import { uniqueName } from '../../../domain/create.ts';
import { idOf, itemsIn, memberOf, mentions, sameId } from '../../../domain/items.ts';
import { isObject, isServed, scalarText } from '../../../spec/index.ts';
import type { Exchange } from '../../../spec/index.ts';
import type { TestContext } from '../../kit/context.ts';
import { openSession } from '../../kit/session.ts';
import { violationOf } from '../../kit/violation.ts';
import { defineForRole } from '../define.ts';
import { creatorOf } from './selection.ts';

const session = await openSession();

/** An index for sorting may keep the former name of a policy. */
defineForRole(session, 'policies', {
  suite: 'state/filters/policies',
  title: 'orderBy sorts by the name after an update',
  checks: ['ordering'],
  requirements: ['paging.order-by'],
  effects: ['read', 'reversible'],
  run: async (t, { operation, form }) => {
    const [first, second] = [await freshPolicy(t, 'orda'), await freshPolicy(t, 'ordb')];
    const query = { searchName: second.name.slice(0, second.name.lastIndexOf('-') + 4), take: 100 };
    const list = (t: TestContext, orderBy = 'name', more: object = {}): Promise<Exchange> =>
      t.send(operation, { form, query: { ...query, orderBy, ...more }, label: `sorted by ${orderBy}` });
    const placeOf = (seen: Exchange, id: string): number =>
      (itemsIn(seen) ?? []).findIndex((item) => sameId(idOf(item), id));
    const isFirst = (seen: Exchange, id: string, other: string): boolean =>
      placeOf(seen, id) >= 0 && placeOf(seen, id) < placeOf(seen, other);
    if (!isFirst(await list(t), first.id, second.id))
      t.skip('the list does not show the policies in the order of their names');
    // A member that is not known here may be ignored, and the list be in an order of its own.
    const sortsByTime =
      isFirst(await list(t, 'createdAt'), first.id, second.id) &&
      isFirst(await list(t, 'createdAt', { orderAsc: false }), second.id, first.id);
    const name = uniqueName(t, 'ordc');
    const json = isObject(first.sent) ? { ...first.sent, name } : first.sent;
    const request = { form, path: { id: first.id }, json, label: 'rename the first' };
    const renamed = await t.send(operationOf(t, 'updatePolicy'), request);
    if (!isServed(renamed)) return;
    const isShown = await settled(t, async () => mentions((await list(t)).response?.json, name));
    if (!isShown) t.skip('the list does not show the new name');
    await t.holds(async (t) => {
      const seen = await list(t);
      const [place, other] = [placeOf(seen, first.id), placeOf(seen, second.id)];
      const namesAre = (...names: readonly string[]): boolean =>
        [place, other].every((at, index) => memberOf(itemsIn(seen)?.[at], 'name') === names[index]);
      if (!namesAre(name, second.name) || place > other) return undefined;
      return violationOf('ordering/order-by', operation, {
        subject: 'renamed',
        requirement: 'paging.order-by',
        expected: `${name} after ${second.name}`,
        received: `it is listed before, as with its former name ${first.name}`,
        exchanges: [first.created, second.created, renamed, seen],
      });
    });
    if (!sortsByTime) return;
    await t.holds(async (t) => {
      const seen = await list(t, 'createdAt');
      const [place, other] = [placeOf(seen, first.id), placeOf(seen, second.id)];
      const [time, otherTime] = [place, other].map((at) =>
        scalarText(memberOf(itemsIn(seen)?.[at], 'createdAt') ?? null),
      );
      if (other < 0 || place < other || !(Date.parse(time ?? '') < Date.parse(otherTime ?? ''))) return undefined;
      return violationOf('ordering/order-by', operation, {
        subject: 'createdAt of an updated one',
        requirement: 'paging.order-by',
        expected: `${name}, created at ${time}, before ${second.name}, created at ${otherTime}`,
        received: 'it is listed after, as if sorted by the time of its update',
        exchanges: [first.created, second.created, renamed, seen],
      });
    });
  },
});

/** A faulty update may store no creator, or another one than the user who created the policy. */
defineForRole(session, 'policies', {
  suite: 'state/filters/policies',
  title: 'filterCreator selects by the creator after an update',
  checks: ['filters'],
  requirements: ['policies.filter-creator'],
  effects: ['read', 'reversible'],
  run: async (t, { operation, form }) => {
    const policy = await freshPolicy(t, 'creator', {}, form);
    const filterCreator = (await creatorOf(t, policy)) ?? t.skip('no creator is shown');
    const list = (t: TestContext, searchName: string): Promise<Exchange> =>
      t.send(operation, { form, query: { filterCreator, searchName }, label: 'of the creator' });
    const lists = (seen: Exchange): boolean => itemsIn(seen)?.some((item) => sameId(idOf(item), policy.id)) === true;
    if (!(await settled(t, async () => lists(await list(t, policy.name)))))
      t.skip('the filter does not find the policy before the update');
    const name = uniqueName(t, 'creator');
    const json = isObject(policy.sent) ? { ...policy.sent, name } : policy.sent;
    const request = { form, path: { id: policy.id }, json, label: 'rename it' };
    const renamed = await t.send(operationOf(t, 'updatePolicy'), request);
    if (!isServed(renamed)) return;
    const isFound = await settled(t, async () =>
      lists(await t.send(operation, { form, query: { searchName: name }, label: 'by its new name' })),
    );
    if (!isFound) t.skip('the list does not show the new name');
    await t.holds(async (t) => {
      const seen = await list(t, name);
      if (!isServed(seen) || lists(seen)) return undefined;
      return violationOf('filters/not-found', operation, {
        subject: 'filterCreator of an updated one',
        requirement: 'policies.filter-creator',
        message: `${operation.id}: filterCreator does not find a policy after an update`,
        expected: `${name}, created by ${filterCreator}, is in the list`,
        received: 'it is not in the list',
        exchanges: [policy.created, renamed, seen],
      });
    });
  },
});

import { Skip, settled } from '../context.ts';
import type { ApiContext } from '../context.ts';
import { isUuid, itemsIn, memberOf, sameId } from '../items.ts';
import { existingListFixture, itemsWanted, readPage } from '../list-fixture.ts';
import type { ListFixture } from '../list-fixture.ts';
import type { Exchange, Json, Operation } from '../../spec/index.ts';
import { operationOf } from './operations.ts';
import { freshPolicy } from './policies.ts';

/** The id of an object's type, as its audit log entries show it; those are read by the object's id alone. */
export async function auditTypeOf(t: ApiContext, objectId: string): Promise<string> {
  let found: string | undefined;
  await settled(t, async () => {
    const seen = await t.send(operationOf(t, 'auditByIds'), { query: { objectIds: [objectId] } });
    const entry = itemsIn(seen)?.find(
      (each) => memberOf(each, 'objectTypeId') !== undefined && !isOfOther(each, objectId),
    );
    const type = memberOf(entry, 'objectTypeId');
    found = typeof type === 'string' ? type : undefined;
    return found !== undefined;
  });
  if (found === undefined) throw new Skip('the audit log does not show object type ids');
  return found;
}

/** True for an entry of another object, which a deployment may list although it was not asked for. */
export function isOfOther(entry: Json, objectId: string): boolean {
  const id = memberOf(entry, 'objectId');
  return typeof id === 'string' && isUuid(id) && !sameId(id, objectId);
}

/** The audit log of a new policy that is changed so often that its entries fill more than one page. */
export async function auditListFixture(t: ApiContext, operation: Operation): Promise<ListFixture> {
  const wanted = itemsWanted(operation);
  if (!t.allows('reversible')) throw new Skip('the effect reversible is not allowed');
  const policy = await freshPolicy(t, 'audited');
  const filledBy: Exchange[] = [];
  for (let change = 0; change < wanted; change += 1) {
    const changed = await t.send(operationOf(t, 'updatePolicy'), {
      path: { id: policy.id },
      json: { ...(policy.sent as Record<string, never>), description: `change ${change}` },
      expect: 'success',
      label: 'change the policy',
    });
    filledBy.push(changed);
  }
  const objectTypeId = await auditTypeOf(t, policy.id);
  const request = { path: { objectId: policy.id, objectTypeId } };
  // Entries may appear late: those of the changes, and one of the creation.
  await settled(t, async () => {
    const { ids = [] } = await readPage(t, { operation, request }, 0, 2 * wanted);
    return ids.length > wanted;
  });
  const listed = await t.send(operation, { ...request, query: { page: 0, take: 2 * wanted } });
  if (itemsIn(listed)?.some((entry) => isOfOther(entry, policy.id)) === true)
    throw new Skip('the audit log of an object shows entries of others: see the check audit-log');
  const fixture = await existingListFixture(t, operation, request.path, true);
  if (fixture.ids.size > 0 && fixture.ids.size < wanted)
    throw new Skip('the audit log has fewer entries than there were changes: which ones it keeps is not documented');
  return { ...fixture, filledBy };
}

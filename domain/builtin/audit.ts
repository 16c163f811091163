import { randomUUID } from 'node:crypto';
import { ifSkipped, Skip, settled } from '../context.ts';
import type { ApiContext } from '../context.ts';
import { isUuid, itemsIn, memberOf, sameId } from '../items.ts';
import { existingListFixture, itemsWanted, readPage } from '../list-fixture.ts';
import type { ListFixture } from '../list-fixture.ts';
import { isServed } from '../../spec/index.ts';
import type { Exchange, Json, Operation } from '../../spec/index.ts';
import type { CreatedItem } from '../create.ts';
import { existingItem } from '../path-values.ts';
import { freshItem } from './fresh-item.ts';
import { operationOf, resourceFor } from './operations.ts';
import { freshPolicy, prepareActivation } from './policies.ts';

/** An object whose audit log is read. */
interface AuditedObject {
  readonly objectId: string;
  /** What creates objects of its kind. */
  readonly creation: (typeof KINDS)[number];
  /** Undefined where no type is known that the log is served for. */
  readonly objectTypeId: string | undefined;
}

/** A deployment need not log the changes of each kind of object. */
const KINDS = ['createAgent', 'createPolicy'] as const;

/** A shared object that the audit log shows entries of, where there is one. */
export function auditedObject(t: ApiContext): Promise<AuditedObject> {
  return t.once('audited object', async () => {
    let first: Omit<AuditedObject, 'objectTypeId'> | undefined;
    let reason: unknown;
    for (const creation of KINDS) {
      const objectId = await existingItem(t, resourceFor(t, creation), 'shared').catch((error: unknown) => {
        reason = error;
        return ifSkipped(error);
      });
      if (objectId === undefined) continue;
      first ??= { objectId, creation };
      const objectTypeId = await shownTypeOf(t, objectId);
      if (objectTypeId !== undefined) return { objectId, creation, objectTypeId };
    }
    if (first === undefined) throw reason;
    // The members of entries are not documented; a type without entries may be served, too.
    const path = { objectId: first.objectId, objectTypeId: randomUUID() };
    const served = isServed(await t.sendQuietly(operationOf(t, 'audit'), { path }));
    return { ...first, objectTypeId: served ? path.objectTypeId : undefined };
  });
}

/** A new item of a kind whose changes the audit log shows. */
export async function freshAudited(t: ApiContext, suffix: string): Promise<CreatedItem> {
  const { creation } = await auditedObject(t);
  return freshItem(t, creation, {}, { suffix });
}

/** Skips a test that needs the id of an object's type where the log shows none of it. */
export function skipUntyped(): never {
  throw new Skip('the audit log of an object does not show the id of its type');
}

/** The id of an object's type, as its audit log entries show it. */
export async function auditTypeOf(t: ApiContext, objectId: string): Promise<string> {
  return (await shownTypeOf(t, objectId)) ?? skipUntyped();
}

/** The id of an object's type, as its audit log entries show it; those are read by the object's id alone. */
async function shownTypeOf(t: ApiContext, objectId: string): Promise<string | undefined> {
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
  const [update, path] = [operationOf(t, 'updatePolicy'), { id: policy.id }];
  await prepareActivation(t, update, path);
  const filledBy: Exchange[] = [];
  for (let change = 0; change < wanted; change += 1) {
    const changed = await t.send(update, {
      path,
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

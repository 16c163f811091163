import { isImpossible, waitedForBusy } from '../../domain/context.ts';
import { create, untraced } from '../../domain/create.ts';
import type { Resource } from '../../domain/resources.ts';
import { mentions } from '../../domain/items.ts';
import { isSuccess, scalarText } from '../../spec/index.ts';
import type { Exchange, Operation } from '../../spec/index.ts';
import { Skip } from './context.ts';
import type { RequestSpec, TestContext } from './context.ts';
import { findReadable } from './still-readable.ts';

/**
 * Creates, finds and removes one item before a run creates any other with this operation: that its items can be removed is only
 * inferred from the description. Throws {@link Skip} where that fails.
 */
export async function proveReversible(t: TestContext, operation: Operation): Promise<void> {
  const { resources, nested = [] } = t.knowledge;
  const resource = [...resources, ...nested].find((each) => each.create.id === operation.id);
  if (resource === undefined || !t.session.allows('reversible')) return;
  const why = await t.once(`proof ${operation.id}`, () => createAndRemove(t, resource));
  if (why !== undefined) throw new Skip(why);
}

/** The reason why a created item cannot be removed; undefined where it can. */
async function createAndRemove(t: TestContext, resource: Resource): Promise<string | undefined> {
  const { remove, read } = resource;
  try {
    const { path, created, name } = await create(t, resource, {
      proof: true,
      label: 'create an item, to see whether it can be removed',
    });

    const before = read === undefined ? undefined : await t.send(read, { path, label: 'find it' });
    const removal = { path, label: 'remove it' };
    const first = await t.send(remove, removal);
    const removed = (await waitedForBusy(t, remove, first)) ? await t.send(remove, removal) : first;
    const status = removed.response?.status ?? 0;
    if (!isSuccess(status) && status !== 404) return cannotBeRemoved(resource, status);
    if (read === undefined || before === undefined || status === 202 || !mentions(before.response?.json, name))
      return undefined;
    const violation = await findReadable(t, { remove, read, path, created, before, removed });
    if (violation === undefined) return undefined;
    t.report(violation);
    return `items that ${resource.create.id} creates are not removed: ${read.id} returns them after their deletion`;
  } catch (error) {
    if (isImpossible(error)) return error.message;
    throw error;
  }
}

const cannotBeRemoved = ({ create, remove }: Resource, status: number): string =>
  `items that ${create.id} creates cannot be removed: ${remove.id} answers ${status}`;

/** Statuses of a deployment, or a gateway, that lets nobody remove items, or not with this token. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([403, 405, 501]);

/** Removals that are refused, one after another, before no more items are created. */
const MOST_REFUSED = 3;

interface Removals {
  areServed: boolean;
  refused: number;
  /** Why no more items are created. */
  why?: string;
}

/** Where the items of a run cannot be removed, ends their creation, unless effects that stay are allowed, or until a removal is served. */
export async function noteRemoval(
  t: TestContext,
  operation: Operation,
  { valid, path = {} }: RequestSpec,
  { request, response, identity }: Exchange,
): Promise<void> {
  const resource = t.knowledge.resources.find((each) => each.remove === operation);
  if (resource === undefined || identity !== 'full' || t.session.allows('irreversible')) return;
  // A refusal of a wrong id, or of a wrong method, says nothing about other items.
  const isOfOwn = t.isOwn(scalarText(path[resource.idName]).toLowerCase());
  if (!isOfOwn || valid === false || request.method !== operation.method) return;
  const status = response?.status ?? 0;
  const removals = await t.once(`removals ${operation.id}`, async (): Promise<Removals> => ({
    areServed: false,
    refused: 0,
  }));
  const creations = await untraced(t, resource.create);
  if (isSuccess(status)) {
    removals.areServed = true;
    if (creations.why === removals.why) delete creations.why;
  }
  if (NOT_ALLOWED.has(status)) removals.refused += 1;
  if (removals.areServed || removals.refused < MOST_REFUSED) return;
  if (creations.why === undefined) creations.why = removals.why = cannotBeRemoved(resource, status);
}

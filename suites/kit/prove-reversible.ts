import { isSuccess } from '../../spec/index.ts';
import type { Operation } from '../../spec/index.ts';
import { create } from '../../domain/create.ts';
import { resourcesOf } from '../../domain/resources.ts';
import type { Resource } from '../../domain/resources.ts';
import { Skip } from './context.ts';
import type { TestContext } from './context.ts';

/**
 * A description alone does not say that what a POST creates can be removed again, it only looks so. Before anything else is
 * created there, one item is created, found and removed; where that fails, nothing more is. Throws {@link Skip} then.
 */
export async function proveReversible(t: TestContext, operation: Operation): Promise<void> {
  const resource =
    operation.method === 'POST'
      ? resourcesOf(t.session.contract).find((each) => each.create.id === operation.id)
      : undefined;
  if (resource === undefined || !t.session.allows('reversible')) return;
  const why = await t.session.once(`proof ${operation.id}`, () => attempt(t, resource));
  if (why !== undefined) throw new Skip(why);
}

/** Why it can't be undone; undefined where it can. */
async function attempt(t: TestContext, resource: Resource): Promise<string | undefined> {
  try {
    const { id } = await create(t, resource, {
      proof: true,
      label: 'create one, to see whether it can be removed again',
    });
    const removed = await t.send(resource.remove, { path: { [resource.idName]: id }, label: 'remove it again' });
    const status = removed.response?.status ?? 0;
    return isSuccess(status) || status === 404
      ? undefined
      : `what ${resource.create.id} creates can't be removed again: ${resource.remove.id} answers ${status}`;
  } catch (error) {
    if (error instanceof Skip) return error.message;
    throw error;
  }
}

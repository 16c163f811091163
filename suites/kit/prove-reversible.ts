import { create } from '../../domain/create.ts';
import type { Resource } from '../../domain/resources.ts';
import { isSuccess } from '../../spec/index.ts';
import type { Operation } from '../../spec/index.ts';
import { Skip } from './context.ts';
import type { TestContext } from './context.ts';

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
  const { remove, idName } = resource;
  try {
    const { id } = await create(t, resource, {
      proof: true,
      label: 'create an item, to see whether it can be removed',
    });
    const { response } = await t.send(remove, { path: { [idName]: id }, label: 'remove it' });
    const status = response?.status ?? 0;
    if (isSuccess(status) || status === 404) return undefined;
    return `items that ${resource.create.id} creates cannot be removed: ${remove.id} answers ${status}`;
  } catch (error) {
    if (error instanceof Skip) return error.message;
    throw error;
  }
}

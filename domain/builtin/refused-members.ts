import { isObject, isSuccess } from '../../spec/index.ts';
import type { Json, JsonObject } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { idInBody, uniqueName } from '../create.ts';
import type { Resource } from '../resources.ts';
import { sampleBody } from './bodies/sample-body.ts';
import type { SampleContext } from './bodies/sample-body.ts';

/** Members that the smallest body keeps: a name is required of most models, and a job works for an agent. */
const KEPT: ReadonlySet<string> = new Set(['name', 'aiAgentId']);

/** Statuses that refuse a request for what it holds, or for the state of what it names. */
export const REFUSALS: ReadonlySet<number> = new Set([400, 409, 422]);

/**
 * Members of the plain sample that the deployment refuses to create an item with; learned once a run. The models of the
 * document show no members, so that a deployment may want others. None where it accepts the sample, or refuses the
 * smallest body too: then the refusal of the sample is judged.
 */
export function refusedMembers(t: ApiContext, resource: Resource, context: SampleContext): Promise<readonly string[]> {
  return t.once(`refused members of ${resource.create.id}`, async () => {
    if (!t.allows('reversible')) return [];
    const names = Object.keys(plain(resource, context, ''));
    const status = await tryMembers(t, resource, context, new Set(names));
    if (!REFUSALS.has(status)) return [];
    const accepted = new Set(names.filter((name) => KEPT.has(name)));
    if (!isSuccess(await tryMembers(t, resource, context, accepted))) return [];
    for (const name of names) {
      if (accepted.has(name)) continue;
      const more = new Set([...accepted, name]);
      if (isSuccess(await tryMembers(t, resource, context, more))) accepted.add(name);
    }
    return names.filter((name) => !accepted.has(name));
  });
}

function plain({ create }: Resource, context: SampleContext, name: string): JsonObject {
  const sample = sampleBody(create.id, name, context);
  return isObject(sample) ? sample : {};
}

/** The status of creating an item with these members of the sample. */
function tryMembers(
  t: ApiContext,
  resource: Resource,
  context: SampleContext,
  names: ReadonlySet<string>,
): Promise<number> {
  const sample = plain(resource, context, uniqueName(t, 'plain'));
  const json = Object.fromEntries(Object.entries(sample).filter(([name]) => names.has(name)));
  return tryItem(t, resource, json, 'create an item, to see which members are accepted');
}

/** The status of creating an item, which is used and removed again; nothing is judged. */
export async function tryItem(
  t: ApiContext,
  { create, remove, idName }: Resource,
  json: Json,
  label: string,
  use?: (id: string) => Promise<void>,
): Promise<number> {
  const created = await t.sendQuietly(create, { json, label });
  const status = created.response?.status ?? 0;
  const id = isSuccess(status) ? idInBody(created, idName) : undefined;
  if (id !== undefined) {
    await t.acknowledge(created, id);
    await use?.(id);
    await t.sendQuietly(remove, { path: { [idName]: id }, label: 'remove it' });
  }
  return status;
}

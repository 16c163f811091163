import { isObject, isSuccess } from '../../spec/index.ts';
import type { Exchange, Json, JsonObject } from '../../spec/index.ts';
import type { ApiContext } from '../context.ts';
import { createdId, uniqueName } from '../create.ts';
import { memberOf } from '../items.ts';
import { walk } from '../read-list.ts';
import type { Resource } from '../resources.ts';
import { REFUSALS } from './hints.ts';
import { sampleBody } from './bodies/sample-body.ts';
import type { SampleContext } from './bodies/sample-body.ts';
import { emptyFilter } from './bodies/samples.ts';

/** Members of the smallest body: most models require a name, and a job needs an agent. */
const LEAST_MEMBERS: ReadonlySet<string> = new Set(['name', 'aiAgentId']);

/** How the plain sample of an item must be changed for the deployment to accept it. */
export interface SampleChanges {
  /** Names of members that it refuses. */
  readonly without: readonly string[];
  /** Members with the values that an item of the deployment has. */
  readonly members: JsonObject;
}

const UNCHANGED: SampleChanges = { without: [], members: {} };

/**
 * The changes with which the deployment accepts the plain sample, found out once per run: the document does not show the members of
 * its models, so that a deployment may want others. No changes where it accepts the sample, or refuses every other body
 * too: then the refusal of the sample is judged.
 */
export function sampleChanges(t: ApiContext, resource: Resource, context: SampleContext): Promise<SampleChanges> {
  return t.once(`changes to the sample of ${resource.create.id}`, async () => {
    if (!t.allows('reversible')) return UNCHANGED;
    const names = Object.keys(plain(resource, context, ''));
    const status = statusOf(await tryMembers(t, resource, context, new Set(names)));
    if (!REFUSALS.has(status)) return UNCHANGED;
    const accepted = new Set(names.filter((name) => LEAST_MEMBERS.has(name)));
    if (!isSuccess(statusOf(await tryMembers(t, resource, context, accepted))))
      return otherMembers(t, resource, context);
    for (const name of names) {
      if (accepted.has(name)) continue;
      const more = new Set([...accepted, name]);
      if (isSuccess(statusOf(await tryMembers(t, resource, context, more)))) accepted.add(name);
    }
    return { ...UNCHANGED, without: names.filter((name) => !accepted.has(name)) };
  });
}

/** Changes with the members of an existing item, or else with a filter that has a rule, or a policy that has one, where one of them is accepted. */
async function otherMembers(t: ApiContext, resource: Resource, context: SampleContext): Promise<SampleChanges> {
  const sample = plain(resource, context, uniqueName(t, 'plain'));
  for (const members of [await copiedMembers(t, resource, sample), filterWithRule(sample), policyWithRule(sample)]) {
    if (members === undefined) continue;
    const label = 'create an item with other members, to see whether it is accepted';
    if (isSuccess(statusOf(await tryItem(t, resource, { ...sample, ...members }, label))))
      return { without: [], members };
  }
  return UNCHANGED;
}

/** The members of the sample that are objects, with the values that an existing item of the deployment has. */
async function copiedMembers(t: ApiContext, { list }: Resource, sample: JsonObject): Promise<JsonObject | undefined> {
  const seen = list === undefined ? undefined : await walk(t, list, { label: 'find an existing item' });
  return seen?.items
    .map((item) =>
      Object.fromEntries(
        Object.keys(sample).flatMap((name) => {
          const value = memberOf(item, name) ?? null;
          return isObject(sample[name] ?? null) && isObject(value) ? [[name, value] as const] : [];
        }),
      ),
    )
    .find((members) => Object.keys(members).length > 0);
}

/** The filter of a sample, with a rule: a deployment may refuse an empty one. */
function filterWithRule({ condition }: JsonObject): JsonObject | undefined {
  if (!isObject(condition ?? null)) return undefined;
  return { condition: { ...emptyFilter(), rules: [{ ...emptyFilter(), field: 'name', value: ['assay'] }] } };
}

/** A rule of its own beside it: a deployment may refuse a policy without rules. */
function policyWithRule(sample: JsonObject): JsonObject | undefined {
  if (!Array.isArray(sample['rules'])) return undefined;
  return { ...filterWithRule(sample), rules: [{ name: 'assay', conditions: emptyFilter(), actions: [] }] };
}

function plain({ create }: Resource, context: SampleContext, name: string): JsonObject {
  const sample = sampleBody(create.id, name, context);
  return isObject(sample) ? sample : {};
}

/** Creates an item with these members of the sample; returns the creation. */
function tryMembers(
  t: ApiContext,
  resource: Resource,
  context: SampleContext,
  names: ReadonlySet<string>,
): Promise<Exchange> {
  const sample = plain(resource, context, uniqueName(t, 'plain'));
  const json = Object.fromEntries(Object.entries(sample).filter(([name]) => names.has(name)));
  return tryItem(t, resource, json, 'create an item, to see which members are accepted');
}

/** Creates an item, calls `use` with its id and removes it; returns the creation. Nothing is judged. */
export async function tryItem(
  t: ApiContext,
  resource: Resource,
  json: Json,
  label: string,
  use?: (id: string) => Promise<void>,
): Promise<Exchange> {
  const created = await t.sendQuietly(resource.create, { json, label });
  const id = await createdId(t, resource, created);
  if (id !== undefined) {
    await use?.(id);
    await t.sendQuietly(resource.remove, { path: { [resource.idName]: id }, label: 'remove it' });
  }
  return created;
}

/** The status of a response; 0 where there is none. */
export function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}

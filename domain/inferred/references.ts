import { isObject, scalarText } from '../../spec/index.ts';
import { spellsId } from '../../spec/id-member.ts';
import type { Json, JsonObject, Operation } from '../../spec/index.ts';
import { Skip, ifImpossible } from '../context.ts';
import type { ApiContext } from '../context.ts';
import type { BodyReferences } from '../knowledge.ts';
import { isUuid } from '../items.ts';
import { areOwn } from '../inner-items.ts';
import { pathValues } from '../path-values.ts';
import type { PathValues } from '../path-values.ts';
import { collectionOf, withoutSlash } from '../resources.ts';
import type { Resource } from '../resources.ts';
import { plainRequest } from './plain-request.ts';

/** Items of this run for the path of an operation: what it adds to the items of others might not be removed with them. */
export async function ownParents(t: ApiContext, operation: Operation): Promise<PathValues> {
  const path = await pathValues(t, operation, 'shared');
  if (!(await areOwn(t, Object.values(path))))
    throw new Skip(`${operation.id} adds to an item that this run did not create`);
  return path;
}

/**
 * The ids of items for members of the plain body, also within lists and objects, that are named as their collection: `project`,
 * `projectId` or `project_id` for `/projects`. The `id` in the body of an update, also in `data`, is that of the path.
 */
export async function referencesOf(t: ApiContext, operation: Operation, path: PathValues): Promise<BodyReferences> {
  const json = plainRequest(t.contract, operation)?.json;
  const found: Record<string, Json> = {};
  for (const [member, value] of Object.entries(isObject(json) ? json : {})) {
    const referring = await withReferences(t, operation, member, value);
    if (referring !== undefined) found[member] = referring;
  }
  return { ...found, ...withOwnId(operation, path, { ...(isObject(json) ? json : {}), ...found }) };
}

/** The members of the body of an update that hold the id of its item: `id`, or the one that the path names. */
function withOwnId({ method, path }: Operation, values: PathValues, json: JsonObject): BodyReferences {
  const idName = /\{([^{}/]+)\}\/?$/.exec(path)?.[1];
  const id = idName === undefined ? undefined : values[idName];
  if (idName === undefined || id === undefined || (method !== 'PUT' && method !== 'PATCH')) return {};
  const idAs = (value: Json): Json => (typeof value === 'number' ? Number(id) : scalarText(id));
  // Another `name` in the body of an update would give the item of `/pools/{name}` another path.
  const member = spellsId(idName) || json[idName] === undefined ? 'id' : idName;
  const { [member]: own, data } = json;
  if (own !== undefined) return { [member]: idAs(own) };
  return isObject(data) && data['id'] !== undefined ? { data: { ...data, id: idAs(data['id']) } } : {};
}

/** The value of a member with ids of items in it; undefined where it refers to none. */
async function withReferences(
  t: ApiContext,
  operation: Operation,
  member: string,
  value: Json,
): Promise<Json | undefined> {
  if (Array.isArray(value) || isObject(value)) {
    const isList = Array.isArray(value);
    const parts = await Promise.all(
      Object.entries(value).map(async ([key, part]: [string, Json]): Promise<readonly [string, Json, boolean]> => {
        const referring = await withReferences(t, operation, isList ? member : key, part);
        return [key, referring ?? part, referring !== undefined];
      }),
    );
    if (!parts.some(([, , refers]) => refers)) return undefined;
    return isList ? parts.map(([, part]) => part) : Object.fromEntries(parts);
  }
  const resource = referredIn(t, member, value).find((each) => !needs(t, each, operation));
  if (resource === undefined) return undefined;
  const role = onlyRefers(t, operation) ? 'shared' : 'fresh';
  const path = await pathValues(t, resource.remove, role).catch(ifImpossible);
  const id = path?.[resource.idName];
  if (id === undefined) return undefined;
  return typeof value === 'number' ? Number(id) : scalarText(id);
}

/** The resources whose items a member refers to, also within lists and objects. */
function referredIn(t: ApiContext, member: string, value: Json): readonly Resource[] {
  if (Array.isArray(value)) return value.flatMap((part: Json) => referredIn(t, member, part));
  if (isObject(value)) return Object.entries(value).flatMap(([name, part]) => referredIn(t, name, part));
  // Without `id` in its name, a text may be the name of something.
  const isId = typeof value === 'number' || isUuid(value) || (typeof value === 'string' && /ids?$/i.test(member));
  return isId ? t.knowledge.resources.filter((each) => isNamedAs(each, member)) : [];
}

/** True where an item of a resource refers, itself or through others, to one that the operation creates: each would wait for the other. */
function needs(t: ApiContext, resource: Resource, operation: Operation, seen = new Set<Resource>()): boolean {
  if (resource.create === operation) return true;
  if (seen.has(resource)) return false;
  seen.add(resource);
  const json = plainRequest(t.contract, resource.create)?.json ?? null;
  return referredIn(t, '', json).some((each) => needs(t, each, operation, seen));
}

/** False for an operation that may change the items in its body, such as `POST /tickets/bulk-delete`: it gets new ones only. */
function onlyRefers({ knowledge: { resources, nested = [] } }: ApiContext, operation: Operation): boolean {
  const { method, path, responses } = operation;
  if (method === 'PUT' || method === 'PATCH') return /\}\/?$/.test(path);
  return (
    [...resources, ...nested].some(({ create }) => create === operation) ||
    (method === 'POST' && responses.some(({ status }) => status === '201'))
  );
}

function isNamedAs(resource: Resource, member: string): boolean {
  const plain = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase();
  const stem = plain(member).replace(/(?<=.)ids?$/, '');
  const names = [`${stem}s`, `${stem}es`, stem.replace(/y$/, 'ies')];
  const collections = [collectionOf(resource), withoutSlash(resource.create.path)];
  return collections.some((path) => names.includes(plain(path.split('/').at(-1) ?? '')));
}

import { isServed } from '../spec/index.ts';
import type { Contract, Json, Operation } from '../spec/index.ts';
import { memoize } from '../spec/memoize.ts';
import { announcedId } from './announced.ts';
import { ownNamed } from './client-named.ts';
import { ifImpossible, isImpossible, notCreated, Skip } from './context.ts';
import type { ApiContext } from './context.ts';
import { create } from './create.ts';
import { idInResponse } from './id-in-response.ts';
import { addBelow, areOwn, noteAdded, sameValues, shape } from './inner-items.ts';
import { plainRequest } from './inferred/plain-request.ts';
import { listedKey } from './listed-key.ts';
import { collectionOf, resourceOf, withoutSlash } from './resources.ts';
import type { Resource } from './resources.ts';

/** Values for the path parameters of an operation. */
export type PathValues = Readonly<Record<string, Json>>;

/**
 * The item that a path names: `shared` (nothing changes it), `fresh` (a new one for the test) or `victim` (only refused requests name
 * it, so that it must never change).
 */
export type Role = 'shared' | 'fresh' | 'victim';

/** Finds or creates the items that the path of an operation needs. Throws {@link Skip} where neither is possible. */
export async function pathValues(t: ApiContext, operation: Operation, role: Role): Promise<PathValues> {
  const known: Record<string, Json> = {};
  let prefix = '';
  for (const segment of operation.path.split('/').slice(1)) {
    const name = ONE_ITEM.exec(segment)?.[1];
    if (name !== undefined) {
      const given = t.knowledge.pathValue(t, operation, { name, known, role });
      known[name] = await (given ?? inferred(t, operation, { prefix, known, name }, role));
    } else if (segment.includes('{')) Object.assign(known, partialValues(t, operation, segment, role));
    prefix += `/${segment}`;
  }
  return known;
}

/** A segment with an item, also before an action on it, as in `{topic}:publish`. */
const ONE_ITEM = /^\{([^{}]+)\}(?::[a-z]\w*)?$/i;

/** A segment with the version of the API, which is no item. */
const VERSION = /^v\{[^{}]+\}$/i;

/** Values for parameters that are part of a segment, as in `{from}-{to}`. They may name the item of another: only reads get them. */
function partialValues(t: ApiContext, operation: Operation, segment: string, role: Role): PathValues {
  if (role !== 'shared' && !VERSION.test(segment))
    throw new Skip(`${operation.id} changes an item, and this run cannot create one for ${segment}`);
  const described = plainRequest(t.contract, operation)?.path;
  return Object.fromEntries(
    [...segment.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => {
      const value = described?.[name];
      if (value === undefined) throw new Skip(`no known value for path parameter {${name}} of ${operation.id}`);
      return [name, value];
    }),
  );
}

interface Place {
  readonly prefix: string;
  readonly known: PathValues;
  readonly name: string;
}

/** A value from the resource or the list that the path leads to, or else from the description. */
async function inferred(t: ApiContext, operation: Operation, place: Place, role: Role): Promise<Json> {
  const isAt = (each: Resource): boolean => collectionOf(each) === place.prefix;
  const resource = resourceOf(t.knowledge.resources, operation) ?? t.knowledge.nested?.find(isAt);
  // Where created items are not known to be readable, an example of the description may serve.
  const mayGuess = role === 'shared' && !t.knowledge.guarantees('storage', operation);
  const described = mayGuess ? plainRequest(t.contract, operation)?.path[place.name] : undefined;
  if (resource !== undefined && isAt(resource)) {
    if (role === 'fresh') return (await create(t, resource)).id;
    const item = existingItem(t, resource, role);
    return described === undefined ? item : item.catch<Json>(orElse(described));
  }
  const list = readsOf(t.contract).get(shape(place.prefix));
  const own = resource === undefined ? ownNamed(t, operation, place, role) : undefined;
  const named = role === 'shared' ? await own?.catch(ifImpossible) : await own;
  if (named !== undefined) return named;
  const isBelow = resource !== undefined && place.prefix.startsWith(`${collectionOf(resource)}/{`);
  const nested = isBelow ? await nestedCreation(t, place) : undefined;
  if (nested !== undefined) {
    const make = (): Promise<string> => createNested(t, nested, place);
    if (role !== 'shared') return make();
    const made = t.once(`nested ${nested.id} ${JSON.stringify(place.known)}`, make);
    // A listed one may be of another test, which removes it.
    const item = list === undefined ? made : made.catch(orListed(() => listedId(t, list, operation, place)));
    return described === undefined ? item : item.catch<Json>(orElse(described));
  }
  const announced = list === undefined ? await announcedId(t, place, role) : undefined;
  if (announced !== undefined) return announced;
  if (described !== undefined)
    return list === undefined ? described : listedId(t, list, operation, place).catch<Json>(orElse(described));
  if (list === undefined) throw new Skip(`no known value for path parameter {${place.name}} of ${operation.id}`);
  if (role !== 'shared') throw new Skip(`${operation.id} changes an item, and this run cannot create one for it`);
  return listedId(t, list, operation, place);
}

async function listedId(t: ApiContext, list: Operation, operation: Operation, place: Place): Promise<string> {
  const path = sameValues(list.path, Object.values(place.known));
  const query = await t.knowledge.query(t, list);
  const listed = await t.send(list, { path, query, label: `find a value for {${place.name}}` });
  const id = listedKey(t, operation, listed, place.name);
  if (id === undefined)
    throw new Skip(`${list.id} lists no value for path parameter {${place.name}} of ${operation.id}`);
  return id;
}

/** The POST that adds items below an item of the run, and a DELETE of one of them; undefined where there is none, or it is not allowed. */
async function nestedCreation(t: ApiContext, { prefix, known }: Place): Promise<Operation | undefined> {
  const parents = Object.values(known);
  // With the items of others, nothing would remove it.
  if (parents.length === 0 || !(await areOwn(t, parents)) || t.knowledge.guarantees('effects')) return undefined;
  const isAt = (path: string): ((operation: Operation) => boolean) => {
    const wanted = shape(path);
    return (operation) => shape(withoutSlash(operation.path)) === wanted;
  };
  const create = t.contract.operations.filter(isAt(prefix)).find(({ method }) => method === 'POST');
  const isRemovable = t.contract.operations.filter(isAt(`${prefix}/{}`)).some(({ method }) => method === 'DELETE');
  return create !== undefined && isRemovable && t.allows(create.effect) ? create : undefined;
}

/** Adds an item below another one of the run, with which it is removed. */
async function createNested(t: ApiContext, create: Operation, { known, name }: Place): Promise<string> {
  const parents = Object.values(known);
  const created = await addBelow(t, create, parents);
  const id = isServed(created) ? idInResponse(created, name) : undefined;
  if (id === undefined) throw notCreated(created);
  await noteAdded(t, [...parents, id]);
  return id;
}

/** Replaces a {@link Skip} by a listed item. */
function orListed(find: () => Promise<string>): (reason: unknown) => Promise<string> {
  return (reason) => {
    if (reason instanceof Skip) return find();
    throw reason;
  };
}

/** Replaces a {@link Skip} by the value of the description, unless the value may be found later. */
function orElse(described: Json): (reason: unknown) => Json {
  return (reason) => {
    if (isImpossible(reason)) return described;
    throw reason;
  };
}

/** The operations that read, by the shape of their paths. */
const readsOf = memoize(
  ({ operations }: Contract) =>
    new Map(operations.filter((each) => each.method === 'GET').map((each) => [shape(each.path), each])),
);

/**
 * One item for all tests with this role: created by this run where that is allowed, else an existing one, which is only read. Where
 * the creation fails, reads fall back to an existing one; refused requests do not, since they could change the item of another.
 */
export function existingItem(t: ApiContext, resource: Resource, role: Role): Promise<string> {
  return t.once(`${role} ${resource.create.id}`, async () => {
    if (!t.allows('reversible')) return listedItem(t, resource, 'creating items is not allowed');
    try {
      return (await create(t, resource, { suffix: role })).id;
    } catch (error) {
      if (role !== 'shared' || !isImpossible(error)) throw error;
      return listedItem(t, resource, error.message);
    }
  });
}

/** The first item of the list of a resource; `why` says why the run has none of its own. */
async function listedItem(t: ApiContext, { create, list, remove, idName }: Resource, why: string): Promise<string> {
  if (list === undefined) throw new Skip(`${why}, and ${create.path} cannot be listed`);
  const listed = await t.send(list, { label: 'find an existing item' });
  const id = listedKey(t, remove, listed, idName);
  if (id === undefined) throw new Skip(`${why}, and ${list.id} lists none`);
  return id;
}

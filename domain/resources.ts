import { itemPaths, ownCollection, templateKey } from '../spec/index.ts';
import { memoize } from '../spec/memoize.ts';
import type { Contract, Operation } from '../spec/index.ts';
import type { CreatedResource } from '../client/index.ts';

/** A resource that can be created and removed: a collection with POST, and items with DELETE. */
export interface Resource extends CreatedResource {
  readonly read?: Operation;
  readonly replace?: Operation;
  readonly patch?: Operation;
}

/** All resources of a description, recognised by their paths. */
export const resourcesOf = memoize((contract: Contract): readonly Resource[] =>
  contract.operations.flatMap((remove) => {
    const [, parent = '', idName] = /^(.*)\/\{([^{}/]+)\}\/?$/.exec(remove.path) ?? [];
    const create = creationOf(contract, parent);
    if (remove.method !== 'DELETE' || create === undefined || idName === undefined) return [];
    const list = contract.operation(`GET ${create.path}`);
    return [{ create, ...optional('list', list), ...itemOf(contract, remove, idName) }];
  }),
);

/** The POST that adds items whose paths begin with `prefix`, to a collection of that path if there is one. */
export function creationOf({ operations }: Contract, prefix: string): Operation | undefined {
  const wanted = templateKey(prefix);
  const adds = operations.filter(({ method, path }) => method === 'POST' && !path.includes('{'));
  return (
    adds.find(({ path }) => templateKey(path) === wanted) ?? adds.find(({ path }) => itemPaths(path).includes(wanted))
  );
}

/** The operations on the items of a resource. */
export function itemOf(contract: Contract, remove: Operation, idName: string): Omit<Resource, 'create' | 'list'> {
  const at = (method: string): Operation | undefined => contract.operation(`${method} ${remove.path}`);
  return {
    remove,
    idName,
    ...optional('read', at('GET')),
    ...optional('replace', at('PUT')),
    ...optional('patch', at('PATCH')),
  };
}

/** Resources whose items are added below another one and have a path of their own: `POST /authors/{id}/books` and `DELETE /books/{id}`. */
export function nestedResourcesOf(contract: Contract): readonly Resource[] {
  return contract.operations.flatMap((create): Resource[] => {
    if (create.method !== 'POST' || create.effect !== 'reversible' || !create.path.includes('{')) return [];
    const item = `${ownCollection(create.path)}/{}`;
    const isRemoval = ({ method, path }: Operation): boolean => method === 'DELETE' && templateKey(path) === item;
    const remove = contract.operations.find(isRemoval);
    const idName = /\{([^{}/]+)\}\/?$/.exec(remove?.path ?? '')?.[1];
    if (remove === undefined || idName === undefined || remove.path.split('{').length > 2) return [];
    return [{ create, ...itemOf(contract, remove, idName) }];
  });
}

/** The path of the items of a resource without their id. */
export function collectionOf({ remove }: Resource): string {
  return withoutSlash(remove.path).replace(/\/\{[^{}/]+\}$/, '');
}

/** A path without the trailing slash that some frameworks add. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

const namesBelow = memoize((contract: Contract) => memoize((list: Operation) => nameBelow(contract, list)));

/**
 * The path parameter that takes the id of a list's items: `runId` for `/jobs/{id}/runs` where `/jobs/{jobId}/runs/{runId}/chats`
 * exists. Undefined where no path continues that of the list.
 */
export function idNameOf(contract: Contract, list: Operation): string | undefined {
  return namesBelow(contract)(list);
}

function nameBelow(contract: Contract, list: Operation): string | undefined {
  const own = withoutSlash(list.path).split('/');
  const shapeOf = (word = ''): string => (word.startsWith('{') ? '{}' : word);
  for (const { path } of contract.operations) {
    const words = path.split('/');
    const name = /^\{([^{}]+)\}$/.exec(words[own.length] ?? '')?.[1];
    if (name !== undefined && own.every((word, at) => shapeOf(word) === shapeOf(words[at]))) return name;
  }
  return undefined;
}

/** The resource whose items an operation works on or below. */
export function resourceOf(resources: readonly Resource[], operation: Operation): Resource | undefined {
  const below = (each: Resource): boolean => {
    const stems = [withoutSlash(each.create.path), collectionOf(each)];
    return operation.path === each.create.path || stems.some((stem) => operation.path.startsWith(`${stem}/{`));
  };
  return resources.filter(below).sort((a, b) => b.create.path.length - a.create.path.length)[0];
}

function optional<K extends string>(key: K, operation: Operation | undefined): { [P in K]?: Operation } {
  return operation === undefined ? {} : ({ [key]: operation } as { [P in K]: Operation });
}

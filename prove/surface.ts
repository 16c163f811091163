import type { Contract, Operation, Parameter, SchemaRef } from '../spec/index.ts';
import type { JsonSchema } from '../spec/json.ts';

/** The operations on one kind of item, at `/items` and `/items/{id}`. */
export interface Collection {
  /** Path of the collection, after the form. */
  readonly collection: string;
  readonly create: Operation;
  readonly list?: Operation;
  readonly read?: Operation;
  readonly update?: Operation;
  readonly patch?: Operation;
  readonly remove?: Operation;
  /** `POST /items/{id}/verb`, and PUT. */
  readonly actions: readonly Operation[];
  /** All operations below the collection. */
  readonly operations: readonly Operation[];
}

/** A collection whose order is set as a whole by posting an array of its entries. */
export interface OrderedCollection {
  readonly set: Operation;
  readonly read: Operation;
  readonly resource: Collection;
}

export interface PagingParameters {
  readonly page: Parameter;
  readonly size: Parameter;
  /** Number of the first page. */
  readonly base: number;
  readonly defaultSize: number;
}

export interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly types: readonly string[];
  readonly required: boolean;
  readonly grade: 'documented' | 'published';
}

/** The properties of a contract that mutation operators depend on. */
export interface Surface {
  readonly contract: Contract;
  readonly operations: readonly Operation[];
  readonly resources: readonly Collection[];
  readonly orderings: readonly OrderedCollection[];
}

const hasParameter = (path: string): boolean => path.includes('{');
const isBelow = (path: string, collection: string): boolean => path.startsWith(`${collection}/`);

function resourceAt(operations: readonly Operation[], create: Operation): Collection | undefined {
  const collection = create.path;
  const item = new RegExp(`^${collection.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)}/\\{[^}/]+\\}$`);
  const find = (method: string, fits: (path: string) => boolean): Operation | undefined =>
    operations.find((each) => each.method === method && fits(each.path));
  const isItem = (path: string): boolean => item.test(path);
  const parts = {
    list: find('GET', (path) => path === collection),
    read: find('GET', isItem),
    update: find('PUT', isItem),
    patch: find('PATCH', isItem),
    remove: find('DELETE', isItem),
  };
  if (parts.read === undefined && parts.remove === undefined) return undefined;
  return {
    collection,
    create,
    ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)),
    actions: operations.filter(
      ({ method, path }) =>
        ['POST', 'PUT'].includes(method) && /\/\{[^}/]+\}\/[^{}/]+$/.test(path) && isBelow(path, collection),
    ),
    operations: operations.filter(({ path }) => path === collection || isBelow(path, collection)),
  };
}

/** Schema of the JSON body of a request, if there is one. */
export function bodyRef(contract: Contract, { body }: Operation): SchemaRef | undefined {
  const content = body?.content.find(({ type }) => type.includes('json'));
  return content?.schema === undefined ? undefined : contract.resolve(content.schema);
}

/** Schema of the JSON body of the successful response, if the description shows one. */
export function successRef(contract: Contract, { responses }: Operation): SchemaRef | undefined {
  const content = responses
    .find(({ status }) => status.startsWith('2'))
    ?.content.find(({ type }) => type.includes('json'));
  return content?.schema === undefined ? undefined : contract.resolve(content.schema);
}

export function typesOf(schema: JsonSchema): readonly string[] {
  if (typeof schema !== 'object') return [];
  const { type } = schema;
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((each): each is string => typeof each === 'string') : [];
}

const isPublished = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'x-grade' in schema && schema['x-grade'] === 'published';

/** Members of a request body that the service stores: those of the example, or without one all that are not read-only. */
export function storedMembers(contract: Contract, operation: Operation): readonly Member[] {
  const members = membersOf(contract, bodyRef(contract, operation));
  const example = operation.body?.content[0]?.examples[0];
  if (typeof example === 'object' && example !== null) return members.filter(({ name }) => name in example);
  return members.filter(({ schema }) => typeof schema === 'object' && schema['readOnly'] !== true);
}

/** The members of an object schema; none for other schemas. */
export function membersOf(contract: Contract, ref: SchemaRef | undefined): readonly Member[] {
  if (ref === undefined || typeof ref.schema !== 'object') return [];
  const { properties, required } = ref.schema;
  if (typeof properties !== 'object' || properties === null) return [];
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, own]) => {
    const { schema } = contract.resolve({ pointer: `${ref.pointer}/properties/${name}`, schema: own as JsonSchema });
    return {
      name,
      schema,
      types: typesOf(schema),
      required: names.includes(name),
      grade: isPublished(ref.schema) || isPublished(own) || isPublished(schema) ? 'published' : 'documented',
    };
  });
}

/** Schema of the items of an array response; undefined for other responses. */
export function itemsRef(contract: Contract, operation: Operation): SchemaRef | undefined {
  const ref = successRef(contract, operation);
  if (ref === undefined || typeof ref.schema !== 'object') return undefined;
  const { anyOf, items } = ref.schema;
  if (Array.isArray(anyOf)) {
    const list = anyOf.findIndex((each) => typesOf(each as JsonSchema).includes('array'));
    const own = anyOf[list] as { readonly items?: JsonSchema } | undefined;
    return own?.items === undefined
      ? undefined
      : contract.resolve({ pointer: `${ref.pointer}/anyOf/${list}/items`, schema: own.items });
  }
  return items === undefined
    ? undefined
    : contract.resolve({ pointer: `${ref.pointer}/items`, schema: items as JsonSchema });
}

/** True for a GET whose successful response is an array, or a page of one. */
export function isList(contract: Contract, operation: Operation): boolean {
  if (operation.method !== 'GET') return false;
  return itemsRef(contract, operation) !== undefined || pagingParameters(operation) !== undefined;
}

const query = ({ parameters }: Operation): readonly Parameter[] => parameters.filter((each) => each.in === 'query');
const isInteger = ({ schema }: Parameter): boolean => typesOf(schema.schema).includes('integer');
const defaultOf = ({ schema }: Parameter): number | undefined => {
  const value = typeof schema.schema === 'object' ? schema.schema['default'] : undefined;
  return typeof value === 'number' ? value : undefined;
};

/** Paging with documented defaults. */
export function pagingParameters(operation: Operation): PagingParameters | undefined {
  const integers = query(operation).filter(isInteger);
  const page = integers.find(({ name }) => /^page(?:_?(?:number|index|no))?$/i.test(name));
  const size = integers.find(({ name }) => /^(?:take|limit|per_?page|(?:page_?)?size)$/i.test(name));
  if (page === undefined || size === undefined) return undefined;
  const [base, defaultSize] = [defaultOf(page), defaultOf(size)];
  return base === undefined || defaultSize === undefined ? undefined : { page, size, base, defaultSize };
}

const SORTING = /^(?:order|sort)/i;

/** Parameters that select the order of a list. */
export const sortingOf = (operation: Operation): readonly Parameter[] =>
  query(operation).filter(({ name }) => SORTING.test(name));

/** Parameters of a list that select items: neither paging nor order. */
export function filtersOf(operation: Operation): readonly Parameter[] {
  const paging = pagingParameters(operation);
  return query(operation).filter(
    (each) => each !== paging?.page && each !== paging?.size && !SORTING.test(each.name) && !isInteger(each),
  );
}

export const gradeOf = ({ schema }: Parameter, contract: Contract): 'documented' | 'published' =>
  isPublished(schema.schema) || isPublished(contract.resolve(schema).schema) ? 'published' : 'documented';

function orderingsOf(contract: Contract, resources: readonly Collection[]): OrderedCollection[] {
  return resources.flatMap((resource) =>
    resource.operations.flatMap((set) => {
      const ref = set.method === 'POST' && !hasParameter(set.path) ? bodyRef(contract, set) : undefined;
      if (ref === undefined || !typesOf(ref.schema).includes('array')) return [];
      const read = resource.operations.find(
        (each) => each.method === 'GET' && successRef(contract, each)?.pointer === ref.pointer,
      );
      return read === undefined ? [] : [{ set, read, resource }];
    }),
  );
}

export function surfaceOf(contract: Contract): Surface {
  const { operations } = contract;
  const creates = operations.filter((each) => each.method === 'POST' && !hasParameter(each.path));
  const resources = creates.flatMap((create) => resourceAt(operations, create) ?? []);
  return { contract, operations, resources, orderings: orderingsOf(contract, resources) };
}

/** The resource whose collection contains the path of an operation. */
export const collectionAt = (surface: Surface, { path }: Operation): Collection | undefined =>
  surface.resources.find(({ collection }) => path === collection || isBelow(path, collection));

/** Ids of the operations that can show the effect of a write. */
export function seenThrough(surface: Surface, operation: Operation): readonly string[] {
  const resource = collectionAt(surface, operation);
  return [operation.id, ...(resource?.operations ?? []).filter((each) => each !== operation).map(({ id }) => id)];
}

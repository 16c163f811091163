import { isServed, isSuccess, scalarText } from '../spec/index.ts';
import type { Contract, Exchange, Operation } from '../spec/index.ts';
import { memoize } from '../spec/memoize.ts';
import type { CreatedResource } from '../client/index.ts';
import { isImpossible, notCreated, Skip } from './context.ts';
import type { ApiContext } from './context.ts';
import { uniqueName } from './create.ts';
import type { PathValues, Role } from './path-values.ts';
import { creationOf, withoutSlash } from './resources.ts';

/** Items that a PUT to a path of the client's choice creates: with GET and DELETE on the same path, and no POST of the collection. */
export interface ClientNamed extends CreatedResource {
  /** The path of the collection: `/buckets` for `/buckets/{name}`. */
  readonly prefix: string;
}

/** All such items of a description. */
export const clientNamedOf = memoize((contract: Contract) =>
  contract.operations.flatMap((each) => clientNamed(contract, each)),
);

function clientNamed(contract: Contract, create: Operation): readonly ClientNamed[] {
  const [, prefix = '', idName] = /^(.*)\/\{([^{}/]+)\}\/?$/.exec(create.path) ?? [];
  const remove = contract.operation(`DELETE ${create.path}`);
  const isCreatedElsewhere =
    creationOf(contract, prefix) !== undefined ||
    contract.operations.some(({ method, path }) => method === 'POST' && withoutSlash(path) === prefix);
  if (create.method !== 'PUT' || create.effect !== 'reversible' || remove === undefined || idName === undefined)
    return [];
  if (isCreatedElsewhere || contract.operation(`GET ${create.path}`) === undefined) return [];
  const list = prefix.includes('{') ? undefined : contract.operation(`GET ${prefix}`);
  return [{ prefix, create, remove, idName, ...(list === undefined ? {} : { list }) }];
}

/** A place in a path whose value is needed, with the values before it. */
interface Place {
  readonly prefix: string;
  readonly known: PathValues;
}

/**
 * The name of an item of the run that the client names: a new item, or for the PUT that creates it a new name. Undefined where the place
 * holds no such items, or its parents are not of this run. Throws {@link Skip} where none can be created and removed.
 */
export async function ownNamed(
  t: ApiContext,
  operation: Operation,
  { prefix, known: parents }: Place,
  role: Role,
): Promise<string | undefined> {
  const named = clientNamedOf(t.contract).find((each) => each.prefix === prefix);
  const isOwn = Object.values(parents).every((id) => t.isOwn(scalarText(id).toLowerCase()));
  if (named === undefined || !isOwn || !t.allows('reversible') || t.knowledge.guarantees('effects')) return undefined;
  const why = await t.once(`proof ${named.create.id}`, () => createAndRemove(t, named, parents));
  if (why !== undefined) throw new Skip(why);
  if (role === 'fresh') return operation === named.create ? nameFor(t, named) : create(t, named, parents);
  return t.once(`${role} ${named.create.id} ${JSON.stringify(parents)}`, () => create(t, named, parents));
}

/** The reason why such items cannot be created and removed again; undefined where they can. */
async function createAndRemove(t: ApiContext, named: ClientNamed, parents: PathValues): Promise<string | undefined> {
  try {
    const name = await create(t, named, parents);
    const { response } = await t.send(named.remove, {
      path: { ...parents, [named.idName]: name },
      valid: true,
      label: 'remove it',
    });
    const status = response?.status ?? 0;
    if (isSuccess(status)) return undefined;
    return `items that ${named.create.id} creates cannot be removed: ${named.remove.id} answers ${status}`;
  } catch (error) {
    if (isImpossible(error)) return error.message;
    throw error;
  }
}

async function create(t: ApiContext, named: ClientNamed, parents: PathValues): Promise<string> {
  const name = nameFor(t, named);
  const path = { ...parents, [named.idName]: name };
  const references = await t.knowledge.references(t, named.create, path);
  const json = named.create.body === undefined ? undefined : t.knowledge.sampleBody(named.create, name, references);
  const created: Exchange = await t.send(named.create, {
    path,
    valid: true,
    label: 'create',
    ...(json === undefined ? {} : { json }),
  });
  if (!isServed(created)) throw notCreated(created);
  return name;
}

/** A new name with the run's tag that the description of the path parameter allows. */
function nameFor(t: ApiContext, { create: { id, parameters }, idName }: ClientNamed): string {
  const schema = parameters.find((each) => each.in === 'path' && each.name === idName)?.schema;
  const name = uniqueName(t);
  const names = ['-', '_', ''].map((separator) => name.replaceAll('-', separator));
  const allowed = names.find((each) => schema === undefined || t.contract.validate(schema, each).length === 0);
  if (allowed === undefined) throw new Skip(`no name with the tag of the run fits path parameter {${idName}} of ${id}`);
  return allowed;
}

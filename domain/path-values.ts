import type { Contract, Json, Operation } from '../spec/index.ts';
import { create } from './create.ts';
import { idOf, itemsOf, spelledId } from './items.ts';
import { plainRequest } from './inferred/plain-request.ts';
import { resourceOf, resourcesOf } from './resources.ts';
import type { Resource } from './resources.ts';
import { Skip } from '../suites/kit/context.ts';
import type { TestContext } from '../suites/kit/context.ts';

/** Values for the path of an operation, so that it names something that is there. */
export type PathValues = Readonly<Record<string, Json>>;

/** Knows better than the shape of the paths what a parameter can be; undefined: it does not know this one. */
export type Hint = (
  t: TestContext,
  operation: Operation,
  place: { readonly name: string; readonly known: PathValues; readonly role: Role },
) => Promise<string> | undefined;

/**
 * What a path should name: `shared`, which nothing changes; `fresh`, which is this test's own; `victim`, which is there to
 * show that refused requests leave it alone.
 */
export type Role = 'shared' | 'fresh' | 'victim';

export interface SubjectOptions {
  readonly role: Role;
  readonly hint?: Hint;
}

/** Finds or makes what the path of an operation needs. Throws {@link Skip} where neither can be. */
export async function pathValues(t: TestContext, operation: Operation, options: SubjectOptions): Promise<PathValues> {
  const known: Record<string, Json> = {};
  let prefix = '';
  for (const segment of operation.path.split('/').slice(1)) {
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    if (name !== undefined) {
      known[name] = await (options.hint?.(t, operation, { name, known, role: options.role }) ??
        guess(t, operation, { prefix, known, name }, options));
    } else if (segment.includes('{')) Object.assign(known, partsOf(t, operation, segment));
    prefix += `/${segment}`;
  }
  return known;
}

/** Values for parameters that are a part of a segment only, as in `{from}-{to}`. */
function partsOf(t: TestContext, operation: Operation, segment: string): PathValues {
  const described = plainRequest(t.session.contract, operation)?.path;
  return Object.fromEntries(
    [...segment.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => {
      const value = described?.[name];
      if (value === undefined) throw new Skip(`nothing tells what {${name}} of ${operation.id} can be`);
      return [name, value];
    }),
  );
}

interface Place {
  readonly prefix: string;
  readonly known: PathValues;
  readonly name: string;
}

async function guess(t: TestContext, operation: Operation, place: Place, { role }: SubjectOptions): Promise<Json> {
  const { contract } = t.session;
  const resource = resourceOf(resourcesOf(contract), operation);
  const described =
    contract.builtIn || role !== 'shared' ? undefined : plainRequest(contract, operation)?.path[place.name];
  if (resource?.create.path === place.prefix) {
    if (role === 'fresh') return (await create(t, resource)).id;
    return described === undefined
      ? standing(t, resource, role)
      : standing(t, resource, role).catch<Json>(orElse(described));
  }
  const list = listAt(contract, place.prefix);
  if (described !== undefined)
    return list === undefined ? described : listedId(t, list, operation, place).catch<Json>(orElse(described));
  if (list === undefined) throw new Skip(`nothing tells what {${place.name}} of ${operation.id} can be`);
  if (role !== 'shared')
    throw new Skip(`${operation.id} changes what it works on, and nothing of this run's own can be made for it`);
  return listedId(t, list, operation, place);
}

async function listedId(t: TestContext, list: Operation, operation: Operation, place: Place): Promise<string> {
  const query = t.session.contract.builtIn ? {} : { query: plainRequest(t.session.contract, list)?.query ?? {} };
  const listed = await t.send(list, {
    path: renamed(list.path, Object.values(place.known)),
    ...query,
    label: `look for a {${place.name}}`,
  });
  const id = spelledId(itemsOf(listed.response?.json)?.[0]);
  if (id === undefined) throw new Skip(`${list.id} lists nothing that {${place.name}} of ${operation.id} could be`);
  return id;
}

/** What a description says of a value stands in where the deployment shows none. */
function orElse(described: Json): (reason: unknown) => Json {
  return (reason) => {
    if (reason instanceof Skip) return described;
    throw reason;
  };
}

const lists = new WeakMap<Contract, ReadonlyMap<string, Operation>>();

function listAt(contract: Contract, prefix: string): Operation | undefined {
  const known =
    lists.get(contract) ??
    new Map(contract.operations.filter((each) => each.method === 'GET').map((each) => [shape(each.path), each]));
  lists.set(contract, known);
  return known.get(shape(prefix));
}

/** One item for all tests: made by this run where it may, else, to be read only, one that the deployment has. */
function standing(t: TestContext, resource: Resource, role: 'shared' | 'victim'): Promise<string> {
  return t.session.once(`${role} ${resource.create.id}`, async () => {
    if (t.session.allows('reversible')) return (await create(t, resource, { suffix: role })).id;
    if (resource.list === undefined) throw new Skip(`nothing may be made, and ${resource.create.path} can't be listed`);
    const listed = await t.send(resource.list, { label: 'look for one that is there' });
    const id = idOf(itemsOf(listed.response?.json)?.[0]);
    if (id === undefined) throw new Skip(`nothing may be made, and ${resource.list.id} lists nothing`);
    return id;
  });
}

/** A path without the names of its parameters: `{id}` here is `{jobId}` there. */
function shape(path: string): string {
  return path.replaceAll(/\{[^{}]+\}/g, '{}');
}

/** Gives the parameters of another path template the values that the same places have. */
function renamed(path: string, values: readonly Json[]): PathValues {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}

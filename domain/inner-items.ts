import { defined } from '../spec/defined.ts';
import { scalarText } from '../spec/index.ts';
import type { Contract, Exchange, Json, Operation } from '../spec/index.ts';
import type { ApiContext, RequestSpec } from './context.ts';
import { uniqueName } from './create.ts';
import type { PathValues } from './path-values.ts';
import { itemOf, withoutSlash } from './resources.ts';
import type { Resource } from './resources.ts';

/** A path without the names of its parameters: `{id}` here may be `{jobId}` there. */
export function shape(path: string): string {
  return withoutSlash(path.replaceAll(/\{[^{}]+\}/g, '{}'));
}

/** The values for the parameters of another path template, by position. */
export function sameValues(path: string, values: readonly Json[]): PathValues {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  return Object.fromEntries(names.slice(0, values.length).map((name, index) => [name, values[index] ?? '']));
}

/** Resources whose items are added, read and removed below an item of another one: `/projects/{id}/tasks/{taskId}`. */
export function innerResourcesOf(contract: Contract): readonly Resource[] {
  return contract.operations.flatMap((remove): readonly Resource[] => {
    const [, parent = '', idName] = /^(.*\{.*)\/\{([^{}/]+)\}\/?$/.exec(remove.path) ?? [];
    const at = (method: string): Operation | undefined =>
      contract.operations.find((each) => each.method === method && shape(each.path) === shape(parent));
    const [create, list] = [at('POST'), at('GET')];
    if (remove.method !== 'DELETE' || create === undefined || idName === undefined) return [];
    return [{ create, ...defined({ list }), ...itemOf(contract, remove, idName) }];
  });
}

/** Items that this run added below its own ones, with the values of their paths; they are removed with these. */
const added = (t: ApiContext): Promise<Set<string>> => t.once('added below own items', async () => new Set<string>());

const pathKey = (values: readonly Json[]): string => values.map(scalarText).join('/').toLowerCase();

/** True where all values of a path name items of this run. */
export async function areOwn(t: ApiContext, values: readonly Json[]): Promise<boolean> {
  const own = await added(t);
  return values.every((value, at) =>
    at === 0 ? t.isOwn(scalarText(value).toLowerCase()) : own.has(pathKey(values.slice(0, at + 1))),
  );
}

/** Notes that an item is of this run. `values`: those of its path. */
export async function noteAdded(t: ApiContext, values: readonly Json[]): Promise<void> {
  (await added(t)).add(pathKey(values));
}

/** Adds an item below others of the run, with which it is removed. `change`: makes other members of the plain body. */
export async function addBelow(
  t: ApiContext,
  create: Operation,
  parents: readonly Json[],
  change: (json: Json | undefined) => Json | undefined = (json) => json,
): Promise<Exchange> {
  const path = sameValues(create.path, parents);
  const references = await t.knowledge.references(t, create, path);
  const json = change(t.knowledge.sampleBody(create, uniqueName(t), references));
  const form = create.forms.at(-1);
  const created = await t.send(create, { path, valid: true, label: 'create', ...defined({ json, form }) });
  return t.knowledge.mayServeOther?.(create, created) === true ? addBelow(t, create, parents, change) : created;
}

/** The POST that adds items to a list below items of the run; undefined where there is none, or it may not be sent. */
export async function additionTo(t: ApiContext, list: Operation, path: PathValues): Promise<Operation | undefined> {
  const values = Object.values(path);
  const isAddition = ({ method, path: own, responses }: Operation): boolean =>
    method === 'POST' && shape(own) === shape(list.path) && responses.some(({ status }) => status === '201');
  const create = t.contract.operations.find(isAddition);
  if (create === undefined || values.length === 0 || !t.allows(create.effect)) return undefined;
  return !t.knowledge.guarantees('effects', create) && (await areOwn(t, values)) ? create : undefined;
}

/** The context of tests of items below these: requests that name no parents name them. */
export function below<T extends ApiContext>(t: T, parents: readonly Json[]): T {
  const named = (operation: Operation, request: RequestSpec = {}): RequestSpec => ({
    ...request,
    path: { ...sameValues(operation.path, parents), ...request.path },
  });
  return {
    ...t,
    knowledge: { ...t.knowledge, parents: (_t, { path }) => Promise.resolve(sameValues(path, parents)) },
    send: (operation, request) => t.send(operation, named(operation, request)),
    sendQuietly: (operation, request) => t.sendQuietly(operation, named(operation, request)),
    acknowledge: (_created, id) => noteAdded(t, [...parents, id]),
  };
}

import { decodePercent, isServed } from '../spec/index.ts';
import type { Contract, Exchange, Json, Operation } from '../spec/index.ts';
import type { ApiContext } from './context.ts';
import { uniqueName } from './create.ts';
import { idInResponse } from './id-in-response.ts';
import { isNamed, isNewId } from './own-ids.ts';
import { withoutSlash } from './resources.ts';

/** An item that the response to a POST announces, such as the operation that a job can be followed by. */
export interface Announced {
  /** The path of its collection: `/operations` for `/operations/{id}`. */
  readonly prefix: string;
  /** The path parameter that takes the id. */
  readonly idName: string;
  readonly id: string;
  readonly remove?: Operation;
}

/**
 * The item that the Location of a 201 or 202 addresses, where the description has a GET or a DELETE of it. Undefined where the request
 * names the item: then it existed before.
 */
export function announcedBy(contract: Contract, operation: Operation, created: Exchange): Announced | undefined {
  const { request, response } = created;
  const location = response?.headers.find(([name]) => name === 'location')?.[1];
  if (operation.method !== 'POST' || (response?.status !== 201 && response?.status !== 202)) return undefined;
  if (location === undefined || !URL.canParse(location, request.url)) return undefined;
  const sent = segments(new URL(request.url).pathname);
  const base = sent.slice(0, sent.length - segments(operation.path).length);
  const words = segments(new URL(location, request.url).pathname);
  const last = decodePercent(words.at(-1) ?? '');
  if (last === '' || isNamed(created, last)) return undefined;
  for (const { path, method } of contract.operations) {
    const [, prefix = '', idName] = /^([^{}]*)\/\{([^{}/]+)\}\/?$/.exec(path) ?? [];
    if (idName === undefined || prefix === '' || (method !== 'GET' && method !== 'DELETE')) continue;
    const parent = segments(prefix);
    const isAt = [parent, [...base, ...parent]].some((each) => each.join('/') === words.slice(0, -1).join('/'));
    if (!isAt) continue;
    const remove = contract.operation(`DELETE ${path}`);
    return { prefix, idName, id: last, ...(remove === undefined ? {} : { remove }) };
  }
  return undefined;
}

/** An item with the operation that removes it; undefined where there is none. */
export function removable(item: Announced | undefined): (Announced & { readonly remove: Operation }) | undefined {
  return item?.remove === undefined ? undefined : { ...item, remove: item.remove };
}

function segments(path: string): readonly string[] {
  return path.split('/').filter(Boolean);
}

/**
 * The id of an item at `prefix`, which no POST of that collection creates so that it can be removed: a POST that may announce one is
 * sent, and its Location or, for a POST to `prefix`, its body read. Undefined where none is allowed or announces one.
 */
export async function announcedId(
  t: ApiContext,
  { prefix, name }: { readonly prefix: string; readonly name: string },
  role: string,
): Promise<Json | undefined> {
  if (t.knowledge.guarantees('effects')) return undefined;
  for (const operation of t.contract.operations.filter((each) => mayAnnounce(each, prefix))) {
    const isOther = t.knowledge.resources.some(({ create }) => create === operation);
    if (isOther || !t.allows(operation.effect)) continue;
    const start = (): Promise<Exchange | undefined> => sendSample(t, operation);
    const key = `announced by ${operation.id} ${role}`;
    // Whether it announces such an item is known after the first request.
    const first = await t.once(`announced by ${operation.id} shared`, start);
    const found = idAt(t, operation, first, prefix, name);
    if (found === undefined) continue;
    if (role === 'shared') return found;
    const own = role === 'fresh' ? await start() : await t.once(key, start);
    return idAt(t, operation, own, prefix, name);
  }
  return undefined;
}

/** True for a POST of a collection whose description has a 202, or a 201 with a Location or of an item at `prefix`. */
function mayAnnounce({ method, path, responses }: Operation, prefix: string): boolean {
  const isLocation = (name: string): boolean => name.toLowerCase() === 'location';
  const isDescribed = responses.some(
    ({ status, headers }) =>
      status === '202' ||
      (status === '201' && (withoutSlash(path) === prefix || Object.keys(headers).some(isLocation))),
  );
  return method === 'POST' && !path.includes('{') && isDescribed;
}

/** Undefined where the response names no item, or one that may have existed before. */
function idAt(
  t: ApiContext,
  operation: Operation,
  created: Exchange | undefined,
  prefix: string,
  name: string,
): string | undefined {
  if (created === undefined) return undefined;
  const announced = announcedBy(t.contract, operation, created);
  if (announced !== undefined) return announced.prefix === prefix ? announced.id : undefined;
  const id = withoutSlash(operation.path) === prefix ? idInResponse(created, name) : undefined;
  if (id === undefined) return undefined;
  const saysNew = created.response?.status === 201 || created.response?.status === 202;
  const isNew = saysNew ? !isNamed(created, id) : isNewId(t, operation, created, id);
  return isNew ? id : undefined;
}

/** Undefined where the request is refused, or no body for it is known. */
async function sendSample(t: ApiContext, operation: Operation): Promise<Exchange | undefined> {
  const references = await t.knowledge.references(t, operation, {});
  const json = operation.body === undefined ? undefined : t.knowledge.sampleBody(operation, uniqueName(t), references);
  if (operation.body?.required === true && json === undefined) return undefined;
  const created = await t.send(operation, { valid: true, label: 'create', ...(json === undefined ? {} : { json }) });
  if (t.knowledge.mayServeOther?.(operation, created) === true) return sendSample(t, operation);
  return isServed(created) ? created : undefined;
}

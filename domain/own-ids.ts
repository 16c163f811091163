import { nameIn } from '../client/index.ts';
import { escapeRegExp } from '../spec/escape.ts';
import { decodePercent, isObject, parsedJson } from '../spec/index.ts';
import type { Contract, Exchange, Json, Operation } from '../spec/index.ts';
import type { ApiContext } from './context.ts';
import { canonical, idForPath, itemsIn, mentions } from './items.ts';
import { walk } from './read-list.ts';
import { collectionOf } from './resources.ts';
import type { Resource } from './resources.ts';

/** Ids in lower case that were listed before the run created anything, by the operation that creates such items. */
const earlier = new WeakMap<Contract, Map<string, ReadonlySet<string>>>();

/** Lists, once per run, the items that the first creation without a name may return in place of a new one. */
export async function noteEarlier(t: ApiContext, resource: Resource): Promise<void> {
  const { create, list = t.contract.operation(`GET ${collectionOf(resource)}`), idName } = resource;
  if (list === undefined) return;
  await t.once(`listed before ${create.id}`, async () => {
    const request = { label: 'see which items there are' };
    // Items with numbers that are not described are not recognised on several pages.
    const items = (await walk(t, list, request))?.items ?? itemsIn(await t.send(list, request)) ?? [];
    const ids = items.flatMap((item) => idForPath(item, idName)?.toLowerCase() ?? []);
    const known = earlier.get(t.contract) ?? new Map<string, ReadonlySet<string>>();
    earlier.set(t.contract, known.set(create.id, new Set(ids)));
  });
}

/**
 * True where the id in the response to a creation is that of a new item, not of one that the request only refers to or that existed
 * before: the response, or a later read, shows the name of the run, or, where none was sent, the status says so. Only where the effects
 * of operations are not guaranteed there can be a doubt.
 */
export function isNewId(
  { contract, knowledge, tag }: Pick<ApiContext, 'contract' | 'knowledge' | 'tag'>,
  operation: Operation,
  created: Exchange,
  id: string,
  shown?: Exchange,
): boolean {
  if (knowledge.guarantees('effects', operation)) return true;
  // The client chose it, with a name that only this run uses.
  if (mentions(id, tag)) return true;
  const name = nameIn(created.request.body ?? '', tag);
  if (name !== undefined && isCalled(shown?.response?.json, name)) return true;
  if (isNamed(created, id)) return false;
  if (name !== undefined) return [created, shown].some((each) => mentions(each?.response?.json, name));
  const wasThere = earlier.get(contract)?.get(operation.id)?.has(id.toLowerCase()) === true;
  return [201, 202].includes(created.response?.status ?? 0) && !wasThere;
}

/** True where an item has the name itself, not in a list of what belongs to it. */
function isCalled(item: Json | undefined, name: string): boolean {
  if (typeof item === 'string') return mentions(item, name);
  return isObject(item) && Object.values(item).some((each) => isCalled(each, name));
}

/** True where a request has the id as a word: in the port or in a longer number, it is not one. */
export function isNamed({ request: { url, body }, response }: Exchange, id: string): boolean {
  const { pathname, search } = new URL(url);
  const word = new RegExp(`(?<![\\w-])${escapeRegExp(id)}(?![\\w-])`, 'i');
  const content = Buffer.from(body ?? []);
  const json = /^\d+$/.test(id) && response?.status === 201 ? parsedJson(content) : undefined;
  const sent =
    json === undefined ? content.toString('latin1') : JSON.stringify(withoutShown(json, membersIn(response?.json)));
  return [decodePercent(pathname + search), sent].some((text) => word.test(text));
}

/** The members of a body that a new item does not show as its own: a price may be the same number as the id. */
function withoutShown(json: Json, shown: readonly (readonly [string, Json])[]): Json {
  if (Array.isArray(json)) return json.map((each: Json) => withoutShown(each, shown));
  if (!isObject(json)) return json;
  const isShown = ([key, value]: readonly [string, Json]): boolean =>
    !/ids?$/i.test(key) && shown.some(([name, own]) => name === key && canonical(own) === canonical(value));
  const rest = Object.entries(json).filter((each) => !isShown(each));
  return Object.fromEntries(rest.map(([key, value]) => [key, withoutShown(value, shown)]));
}

/** The members of a value and of all objects within it. */
function membersIn(json: Json | undefined): readonly (readonly [string, Json])[] {
  if (Array.isArray(json)) return json.flatMap((each: Json) => membersIn(each));
  return isObject(json) ? Object.entries(json).flatMap((each) => [each, ...membersIn(each[1])]) : [];
}

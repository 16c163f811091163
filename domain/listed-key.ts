import { decodePercent, isObject } from '../spec/index.ts';
import type { Exchange, Json, Operation } from '../spec/index.ts';
import type { ApiContext } from './context.ts';
import { idForPath, itemsIn } from './items.ts';

/**
 * The value of a path parameter that names the first item of a list: the last segment of the item's own link or resource name, or else its
 * member with the name of the parameter (`project` or `projectId`), its id, or another member that usually is a key. Values that the
 * description of the parameter in `operation` does not allow are left out.
 */
export function listedKey(
  { contract }: Pick<ApiContext, 'contract'>,
  operation: Operation,
  listed: Exchange,
  name: string,
): string | undefined {
  const item = itemsIn(listed)?.[0];
  const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
  const isAllowed = (key: string): boolean =>
    parameter === undefined ||
    [key, Number(key)].some((value) => contract.validate(parameter.schema, value).length === 0);
  return keysOf(item, listed.request.url, name).find(isAllowed);
}

/** Members that usually are keys where an item has neither a link nor an id. */
const USUAL_KEYS = ['name', 'slug', 'key', 'code'];

function keysOf(item: Json | undefined, listUrl: string, name: string): readonly string[] {
  if (!isObject(item)) return [idForPath(item)].filter((key) => key !== undefined);
  const members = { ...(isObject(item['attributes']) ? item['attributes'] : {}), ...item };
  const valueOf = (wanted: string): string | undefined => {
    const key = Object.keys(members).find((each) => each.toLowerCase() === wanted.toLowerCase());
    const value = key === undefined ? undefined : members[key];
    return typeof value === 'string' || typeof value === 'number' ? idForPath(value) : undefined;
  };
  const names = [name, 'id', `${name}Id`, `${name}_id`, ...USUAL_KEYS];
  return [keyInLink(item, listUrl), ...names.map(valueOf)].filter((key) => key !== undefined);
}

/**
 * The last segment of the item's link to itself, or of a name such as `projects/p1`, where that is the URL of its list and one segment
 * more.
 */
export function keyInLink(item: { readonly [name: string]: Json }, listUrl: string): string | undefined {
  const links = [item['links'], item['_links']].flatMap((each) => (isObject(each) ? [each['self']] : []));
  const { name } = item;
  const path = typeof name === 'string' && name.includes('/') ? [`/${name}`] : [];
  const texts = [...links, item['self'], item['href'], item['url'], ...path].map((each) =>
    isObject(each) ? each['href'] : each,
  );
  const list = new URL(listUrl).pathname.replace(/\/$/, '');
  for (const text of texts) {
    if (typeof text !== 'string' || !URL.canParse(text, listUrl)) continue;
    const path = new URL(text, listUrl).pathname.replace(/\/$/, '');
    const last = path.slice(path.lastIndexOf('/') + 1);
    // The link may have another prefix, or none, where a gateway changes paths.
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (last !== '' && parent !== '' && (list.endsWith(parent) || parent.endsWith(list))) return decodePercent(last);
  }
  return undefined;
}

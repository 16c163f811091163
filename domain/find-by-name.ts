import { isObject } from '../spec/index.ts';
import type { Exchange, Json, Listed } from '../spec/index.ts';
import { settled } from './context.ts';
import type { ApiContext } from './context.ts';
import { idOf, itemsIn, mentions } from './items.ts';
import { walk } from './read-list.ts';
import type { Resource } from './resources.ts';

/** An id, and the list that showed it, where it is not in the response to the creation. */
export interface Found {
  readonly id: string;
  readonly listed?: Listed;
}

/** Finds an item by its name on all pages of its list; with `wait`, for up to the settle time. */
export async function findByName(
  t: ApiContext,
  resource: Resource,
  name: string,
  wait = true,
): Promise<{ readonly found?: Required<Found>; readonly page?: Exchange }> {
  const { list } = resource;
  if (list === undefined) return {};
  let found: Required<Found> | undefined;
  let last: Exchange | undefined;
  const search = async (): Promise<boolean> => {
    const seen = await walk(t, list, { label: 'find it in the list' });
    const item = itemNamed(seen?.items ?? [], name);
    const id = idOf(item, resource.idName);
    const page = seen?.pages.find(({ response }) => itemsIn({ response })?.includes(item ?? null));
    last = seen?.pages.at(-1);
    if (id !== undefined && page !== undefined) found = { id, listed: { url: page.request.url, name } };
    return found !== undefined;
  };
  await (wait ? settled(t, search) : search());
  return { ...(found && { found }), ...(last && { page: last }) };
}

/** The item with a name, which is in the shortest of its texts that mention it: others may copy it, as `Copy of` it. */
function itemNamed(items: readonly Json[], name: string): Json | undefined {
  const shortestIn = (value: Json): number => {
    if (typeof value === 'string') return mentions(value, name) ? value.length : Infinity;
    if (!Array.isArray(value) && !isObject(value)) return Infinity;
    return Math.min(...Object.values(value).map((each: Json) => shortestIn(each)));
  };
  const [shortest] = items
    .map((item) => ({ item, length: shortestIn(item) }))
    .filter(({ length }) => length < Infinity)
    .sort((a, b) => a.length - b.length);
  return shortest?.item;
}

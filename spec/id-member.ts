import type { Json } from './json.ts';
import { isUuid } from './uuid.ts';

/**
 * Name of the member that holds the id of an item: `id`, or that of the path parameter that takes it, or one named as its collection
 * (`agentId` of `/aiagent`), if it holds a uuid. Other members that end in "id" name other things. A path parameter that is no other
 * spelling of "id", such as `{name}` or `{slug}`, takes the member of its name although the item has an `id` too.
 */
export function idMember(item: Readonly<Record<string, Json>>, idName = 'id', collection = ''): string | undefined {
  const names = Object.keys(item).filter((name) => item[name] !== null);
  const find = (name: string): string | undefined => names.find((each) => each.toLowerCase() === name);
  const byParameter = find(idName.toLowerCase());
  if (byParameter !== undefined && !spellsId(idName) && isKey(item[byParameter])) return byParameter;
  return find('id') ?? byParameter ?? names.find((each) => isUuid(item[each]) && isNamedAs(each, collection));
}

/** True for `id`, `ticketId` and `ticket_id`; not for `uuid`, which an item may have beside a number, or `name`. */
export const spellsId = (idName: string): boolean => /(?<!^[ug]u?)id$/i.test(idName);

const isKey = (value: Json | undefined): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';

function isNamedAs(name: string, collection: string): boolean {
  const [, stem] = /^([a-z]{3,})_?id$/i.exec(name) ?? [];
  const last = collection.split('/').findLast(Boolean)?.toLowerCase().replace(/s$/, '');
  return stem !== undefined && last?.endsWith(stem.toLowerCase()) === true;
}

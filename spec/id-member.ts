import type { Json } from './json.ts';
import { isUuid } from './uuid.ts';

/**
 * Name of the member that holds the id of an item: `id`, or that of the path parameter that takes it, or one named as its collection
 * (`agentId` of `/aiagent`), if it holds a uuid. Other members that end in "id" name other things.
 */
export function idMember(item: Readonly<Record<string, Json>>, idName = 'id', collection = ''): string | undefined {
  const names = Object.keys(item).filter((name) => item[name] !== null);
  const find = (name: string): string | undefined => names.find((each) => each.toLowerCase() === name);
  return (
    find('id') ?? find(idName.toLowerCase()) ?? names.find((each) => isUuid(item[each]) && isNamedAs(each, collection))
  );
}

function isNamedAs(name: string, collection: string): boolean {
  const [, stem] = /^([a-z]{3,})_?id$/i.exec(name) ?? [];
  const last = collection.split('/').findLast(Boolean)?.toLowerCase().replace(/s$/, '');
  return stem !== undefined && last?.endsWith(stem.toLowerCase()) === true;
}

import { isObject } from '../../spec/index.ts';
import type { Json, Operation, Parameter } from '../../spec/index.ts';

/** A query parameter with the name of a member of the items, and a value that some of them have. */
export interface MemberFilter {
  readonly parameter: string;
  readonly member: string;
  readonly value: string | boolean;
}

/** Parameters that select something else than items, although items may have a member of that name. */
const NO_FILTER =
  /^(page|limit|offset|skip|take|size|top|sort|order|fields|include|expand|embed|view|format|locale|lang|version|api_?version)/i;

/** The name in lower case without underscores, and without `filter` before it. */
const plain = (name: string): string =>
  name
    .replaceAll(/[[\]._-]/g, '')
    .replace(/^filter(?:by)?/i, '')
    .toLowerCase();

/** The members of an item, in JSON:API those of its attributes. */
function membersOf(item: Json): Readonly<Record<string, Json>> {
  if (!isObject(item)) return {};
  const { attributes } = item;
  return isObject(attributes) ? { ...item, ...attributes } : item;
}

/** The value of a member of an item. */
export function valueIn(item: Json, member: string): Json | undefined {
  return membersOf(item)[member];
}

/** True where an item has a value that a filter does not select: a filter of texts may also look for a part, in any case. */
export function isOther(item: Json, { member, value }: MemberFilter): boolean {
  const own = valueIn(item, member);
  if (typeof own !== typeof value) return false;
  return typeof own === 'string' ? !own.toLowerCase().includes(String(value).toLowerCase()) : own !== value;
}

function isAllowed({ schema: { schema } }: Parameter, value: Json): boolean {
  if (!isObject(schema) || typeof value !== schema['type']) return false;
  const known = schema['enum'];
  return !Array.isArray(known) || known.includes(value);
}

/** The filters by members that can be tested with these items: some of them have the value, others do not. */
export function memberFilters({ parameters }: Operation, items: readonly Json[]): readonly MemberFilter[] {
  const names = [...new Set(items.flatMap((item) => Object.keys(membersOf(item))))];
  return parameters.flatMap((parameter) => {
    if (parameter.in !== 'query' || NO_FILTER.test(parameter.name)) return [];
    const member = names.find((name) => plain(name) === plain(parameter.name));
    if (member === undefined) return [];
    const candidates = items.flatMap((item) => {
      const value = valueIn(item, member);
      const isFit = (typeof value === 'string' && value !== '') || typeof value === 'boolean';
      return isFit && isAllowed(parameter, value) ? [{ parameter: parameter.name, member, value }] : [];
    });
    return candidates.find((each) => items.some((item) => isOther(item, each))) ?? [];
  });
}

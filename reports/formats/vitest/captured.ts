import type { CapturedId, ScriptRequest } from '../../../spec/index.ts';
import { quoted } from './literal.ts';
import type { Names } from './literal.ts';

/** A captured id as code. Of a new item, only its own id is needed, at whatever place of the response. */
export function idAt(
  { creates, captures = [] }: ScriptRequest,
  answer: string,
  names: Names,
  captured: CapturedId,
): string {
  const { item, place } = captured;
  if (item !== undefined) return memberOf(itemIn(`${answer}.json`, item, names), item.member);
  if (creates === true && captures.length === 1) return `${answer}.id!`;
  return place < 0 ? `${answer}.ids.at(${place})!` : `${answer}.ids[${place}]!`;
}

const memberOf = (item: string, member: string): string =>
  `${item}${/^[a-z]\w*$/i.test(member) ? `.${member}` : `[${quoted(member)}]`}`;

/** The item of a list that has a captured id. */
function itemIn(json: string, { at, of }: NonNullable<CapturedId['item']>, names: Names): string {
  const id = of && names.get(of.id);
  return of === undefined || id === undefined
    ? `items(${json}).at(${at})`
    : `items(${json}).find((item) => ${memberOf('item', of.member)} === ${id})`;
}

/** The condition that a response contains the ids that are captured from it, as code of a function; undefined if none are. */
export function hasCaptures(captures: readonly CapturedId[], names: Names): string | undefined {
  const items = captures.flatMap(({ item }) =>
    item === undefined ? [] : `${itemIn('json', item, names)} !== undefined`,
  );
  if (items.length > 0) return `({ json }) => ${[...new Set(items)].join(' && ')}`;
  const ids = Math.max(-1, ...captures.map(({ place }) => (place < 0 ? -place - 1 : place)));
  return ids < 0 ? undefined : `({ ids }) => ids.length > ${ids}`;
}

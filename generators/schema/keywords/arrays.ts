import type { Keyword } from '../draft.ts';
import { count, listUnder, under } from '../place.ts';

/** With the `prefixItems` beside it; a list of schemas is the older spelling of those. */
export const items: Keyword = (draft, value, place) => {
  draft.hinted.add('array');
  const older = Array.isArray(value);
  const prefix = older
    ? listUnder(place, 'items', value)
    : listUnder(place, 'prefixItems', place.schema['prefixItems'] ?? []);
  const rest = older
    ? under(place, ['additionalItems'], place.schema['additionalItems'])
    : under(place, ['items'], value);
  draft.list.tuples.push({ prefix, rest });
};

export const prefixItems: Keyword = (draft, value, place) => {
  draft.hinted.add('array');
  if (place.schema['items'] === undefined)
    draft.list.tuples.push({ prefix: listUnder(place, 'prefixItems', value), rest: undefined });
};

/** With the `minContains` and `maxContains` beside it. */
export const contains: Keyword = (draft, value, place) => {
  draft.hinted.add('array');
  const ref = under(place, ['contains'], value);
  if (ref === undefined) return;
  const min = count(place.schema['minContains'] ?? 1) ?? 1;
  const max = count(place.schema['maxContains'] ?? null) ?? Infinity;
  draft.list.contains.push({ ref, min, max });
  draft.list.min = Math.max(draft.list.min, min);
  draft.risky = true;
};

export const minItems: Keyword = (draft, value) => {
  draft.hinted.add('array');
  draft.list.min = Math.max(draft.list.min, count(value) ?? 0);
};

export const maxItems: Keyword = (draft, value) => {
  draft.hinted.add('array');
  draft.list.max = Math.min(draft.list.max, count(value) ?? Infinity);
};

export const uniqueItems: Keyword = (draft, value) => {
  draft.hinted.add('array');
  if (value === true) draft.list.unique = true;
};

import type { Keyword } from '../draft.ts';
import { listUnder, under } from '../place.ts';

/** With `prefixItems` beside it; a list of schemas is the older spelling of those. */
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

import type { Keyword } from '../draft.ts';
import { listUnder } from '../place.ts';

export const prefixItems: Keyword = (draft, value, place) => {
  draft.hinted.add('array');
  if (place.schema['items'] === undefined)
    draft.list.tuples.push({ prefix: listUnder(place, 'prefixItems', value), rest: undefined });
};

import type { Keyword } from '../draft.ts';
import { under } from '../place.ts';

export const propertyNames: Keyword = (draft, value, place) => {
  draft.hinted.add('object');
  const ref = under(place, ['propertyNames'], value);
  if (ref !== undefined) draft.names.push(ref);
};

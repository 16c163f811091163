import type { Keyword } from '../draft.ts';
import { count } from '../place.ts';

export const minProperties: Keyword = (draft, value) => {
  draft.hinted.add('object');
  draft.size.min = Math.max(draft.size.min, count(value) ?? 0);
};

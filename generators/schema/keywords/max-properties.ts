import type { Keyword } from '../draft.ts';
import { count } from '../place.ts';

export const maxProperties: Keyword = (draft, value) => {
  draft.hinted.add('object');
  draft.size.max = Math.min(draft.size.max, count(value) ?? Infinity);
};

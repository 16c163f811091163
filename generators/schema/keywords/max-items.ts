import type { Keyword } from '../draft.ts';
import { count } from '../place.ts';

export const maxItems: Keyword = (draft, value) => {
  draft.hinted.add('array');
  draft.list.max = Math.min(draft.list.max, count(value) ?? Infinity);
};

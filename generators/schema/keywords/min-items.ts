import type { Keyword } from '../draft.ts';
import { count } from '../place.ts';

export const minItems: Keyword = (draft, value) => {
  draft.hinted.add('array');
  draft.list.min = Math.max(draft.list.min, count(value) ?? 0);
};

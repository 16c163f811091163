import type { Keyword } from '../draft.ts';
import { count } from '../place.ts';

export const maxLength: Keyword = (draft, value) => {
  draft.hinted.add('string');
  draft.text.max = Math.min(draft.text.max, count(value) ?? Infinity);
};

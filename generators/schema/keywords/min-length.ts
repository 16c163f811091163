import type { Keyword } from '../draft.ts';
import { count } from '../place.ts';

export const minLength: Keyword = (draft, value) => {
  draft.hinted.add('string');
  draft.text.min = Math.max(draft.text.min, count(value) ?? 0);
};

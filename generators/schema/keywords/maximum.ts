import type { Keyword } from '../draft.ts';

export const maximum: Keyword = (draft, value) => {
  draft.hinted.add('number');
  if (typeof value === 'number') draft.number.max = Math.min(draft.number.max, value);
};

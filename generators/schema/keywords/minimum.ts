import type { Keyword } from '../draft.ts';

export const minimum: Keyword = (draft, value) => {
  draft.hinted.add('number');
  if (typeof value === 'number') draft.number.min = Math.max(draft.number.min, value);
};

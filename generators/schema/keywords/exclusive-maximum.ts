import type { Keyword } from '../draft.ts';

export const exclusiveMaximum: Keyword = (draft, value) => {
  draft.hinted.add('number');
  if (typeof value === 'number') draft.number.below = Math.min(draft.number.below, value);
};

import type { Keyword } from '../draft.ts';

export const exclusiveMinimum: Keyword = (draft, value) => {
  draft.hinted.add('number');
  if (typeof value === 'number') draft.number.above = Math.max(draft.number.above, value);
};

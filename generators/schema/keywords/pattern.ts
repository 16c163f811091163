import type { Keyword } from '../draft.ts';

export const pattern: Keyword = (draft, value) => {
  draft.hinted.add('string');
  if (typeof value === 'string') draft.text.patterns.push(value);
};

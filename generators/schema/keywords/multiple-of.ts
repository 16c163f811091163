import type { Keyword } from '../draft.ts';

export const multipleOf: Keyword = (draft, value) => {
  draft.hinted.add('number');
  if (typeof value === 'number' && value > 0) draft.number.steps.push(value);
};

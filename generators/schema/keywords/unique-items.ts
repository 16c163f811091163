import type { Keyword } from '../draft.ts';

export const uniqueItems: Keyword = (draft, value) => {
  draft.hinted.add('array');
  if (value === true) draft.list.unique = true;
};

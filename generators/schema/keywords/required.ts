import type { Keyword } from '../draft.ts';
import { texts } from '../place.ts';

export const required: Keyword = (draft, value) => {
  draft.hinted.add('object');
  for (const name of texts(value)) draft.required.add(name);
};

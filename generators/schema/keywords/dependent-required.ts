import { isObject } from '../../../spec/index.ts';
import type { Keyword } from '../draft.ts';
import { texts } from '../place.ts';

export const dependentRequired: Keyword = (draft, value) => {
  draft.hinted.add('object');
  if (!isObject(value)) return;
  for (const [name, needed] of Object.entries(value)) {
    draft.dependent.set(name, [...(draft.dependent.get(name) ?? []), ...texts(needed)]);
  }
};

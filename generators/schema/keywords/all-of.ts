import type { Keyword } from '../draft.ts';
import { listUnder } from '../place.ts';

export const allOf: Keyword = (draft, value, place) => {
  draft.also.push(...listUnder(place, 'allOf', value));
};

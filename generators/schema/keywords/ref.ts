import type { Keyword } from '../draft.ts';

/** Followed by who gathers, which can resolve; what stands beside it holds too. */
export const ref: Keyword = (draft, value, place) => {
  if (typeof value === 'string') draft.also.push({ pointer: place.pointer, schema: { $ref: value } });
};

import type { Keyword } from '../draft.ts';

/** `unevaluatedProperties` and `unevaluatedItems`: keep to what is described, judge on the finished value. */
export const unevaluated: Keyword = (draft, value) => {
  if (value === true) return;
  draft.closed = true;
  draft.risky = true;
};

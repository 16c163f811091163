import type { Keyword } from '../draft.ts';
import { under } from '../place.ts';

/** Either `if` and `then` hold, or `else` does and `if` doesn't, which is judged on the finished value. */
export const condition: Keyword = (draft, value, place) => {
  const premise = under(place, ['if'], value);
  if (premise === undefined) return;
  const then = under(place, ['then'], place.schema['then']);
  const otherwise = under(place, ['else'], place.schema['else']);
  const held = [premise, ...(then === undefined ? [] : [then])];
  draft.choices.push({
    pointer: premise.pointer,
    alternatives: [{ refs: held }, { refs: otherwise === undefined ? [] : [otherwise] }],
  });
  draft.risky = true;
};

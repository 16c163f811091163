import type { Keyword } from '../draft.ts';
import { alternatives } from './alternatives.ts';

/** That no second alternative holds is judged on the finished value. */
export const oneOf: Keyword = (draft, value, place) => {
  draft.choices.push({ pointer: `${place.pointer}/oneOf`, alternatives: alternatives('oneOf', value, place) });
  draft.risky = true;
};

import type { Keyword } from '../draft.ts';
import { alternatives } from './alternatives.ts';

export const anyOf: Keyword = (draft, value, place) => {
  draft.choices.push({ pointer: `${place.pointer}/anyOf`, alternatives: alternatives('anyOf', value, place) });
};

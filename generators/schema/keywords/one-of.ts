import type { Keyword } from '../draft.ts';
import { listUnder } from '../place.ts';
import { alternatives } from './alternatives.ts';

/** That no second alternative holds is judged on the finished value. */
export const oneOf: Keyword = (draft, value, place) => {
  draft.choices.push({ pointer: `${place.pointer}/oneOf`, alternatives: alternatives('oneOf', value, place) });
  if (place.schema['discriminator'] !== undefined) draft.apart.push(listUnder(place, 'oneOf', value));
  draft.risky = true;
};

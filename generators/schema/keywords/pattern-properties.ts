import type { Keyword } from '../draft.ts';
import { properties } from './properties.ts';

export const patternProperties: Keyword = (draft, _value, place) => {
  if (place.schema['properties'] === undefined) properties(draft, {}, place);
};

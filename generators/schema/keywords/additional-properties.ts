import type { Keyword } from '../draft.ts';
import { properties } from './properties.ts';

export const additionalProperties: Keyword = (draft, _value, place) => {
  const { schema } = place;
  if (schema['properties'] === undefined && schema['patternProperties'] === undefined) properties(draft, {}, place);
};

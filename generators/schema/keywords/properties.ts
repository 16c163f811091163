import type { SchemaRef } from '../../../spec/index.ts';
import type { Keyword, Place } from '../draft.ts';
import { mapUnder, regExp, under } from '../place.ts';

/** With `patternProperties` and `additionalProperties` beside it: the three only make sense together. */
export const properties: Keyword = (draft, value, place) => {
  draft.hinted.add('object');
  draft.members.push({
    properties: new Map(mapUnder(place, 'properties', value)),
    patterns: patternsOf(place),
    additional: under(place, ['additionalProperties'], place.schema['additionalProperties']),
  });
};

function patternsOf(place: Place): readonly (readonly [RegExp, SchemaRef])[] {
  return mapUnder(place, 'patternProperties', place.schema['patternProperties'] ?? {}).flatMap(([pattern, ref]) => {
    const expression = regExp(pattern);
    return expression === undefined ? [] : [[expression, ref] as const];
  });
}

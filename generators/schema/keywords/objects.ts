import { isObject } from '../../../spec/index.ts';
import type { SchemaRef } from '../../../spec/index.ts';
import type { Keyword, Place } from '../draft.ts';
import { count, mapUnder, regExp, texts, under } from '../place.ts';

/** With the `patternProperties` and `additionalProperties` beside it: the three depend on each other. */
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

export const patternProperties: Keyword = (draft, _value, place) => {
  if (place.schema['properties'] === undefined) properties(draft, {}, place);
};

export const additionalProperties: Keyword = (draft, _value, place) => {
  const { schema } = place;
  if (schema['properties'] === undefined && schema['patternProperties'] === undefined) properties(draft, {}, place);
};

export const propertyNames: Keyword = (draft, value, place) => {
  draft.hinted.add('object');
  const ref = under(place, ['propertyNames'], value);
  if (ref !== undefined) draft.names.push(ref);
};

export const required: Keyword = (draft, value) => {
  draft.hinted.add('object');
  for (const name of texts(value)) draft.required.add(name);
};

export const minProperties: Keyword = (draft, value) => {
  draft.hinted.add('object');
  draft.size.min = Math.max(draft.size.min, count(value) ?? 0);
};

export const maxProperties: Keyword = (draft, value) => {
  draft.hinted.add('object');
  draft.size.max = Math.min(draft.size.max, count(value) ?? Infinity);
};

export const dependentRequired: Keyword = (draft, value) => {
  draft.hinted.add('object');
  if (!isObject(value)) return;
  for (const [name, needed] of Object.entries(value)) {
    draft.dependent.set(name, [...(draft.dependent.get(name) ?? []), ...texts(needed)]);
  }
};

/** Either the property is absent, or it is present and its schema holds. */
export const dependentSchemas: Keyword = (draft, value, place) => {
  draft.hinted.add('object');
  for (const [name, ref] of mapUnder(place, 'dependentSchemas', value)) {
    draft.choices.push({
      pointer: ref.pointer,
      alternatives: [
        { refs: [], forbid: [name] },
        { refs: [ref], require: [name] },
      ],
    });
  }
};

/** `unevaluatedProperties` and `unevaluatedItems`: only described members are generated; the validator checks the value. */
export const unevaluated: Keyword = (draft, value) => {
  if (value === true) return;
  draft.closed = true;
  draft.risky = true;
};

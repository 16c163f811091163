import { isObject } from '../../../spec/index.ts';
import type { SchemaRef } from '../../../spec/index.ts';
import type { Keyword, KeywordContext } from '../constraints.ts';
import { subschemaMap, regExp, textsIn, subschema } from '../subschemas.ts';

/** Includes `patternProperties` and `additionalProperties` of the same schema: the three depend on each other. */
export const properties: Keyword = (constraints, value, place) => {
  constraints.impliedTypes.add('object');
  constraints.members.push({
    properties: new Map(subschemaMap(place, 'properties', value)),
    patterns: patternsOf(place),
    additional: subschema(place, ['additionalProperties'], place.schema['additionalProperties']),
  });
};

function patternsOf(place: KeywordContext): readonly (readonly [RegExp, SchemaRef])[] {
  return subschemaMap(place, 'patternProperties', place.schema['patternProperties'] ?? {}).flatMap(([pattern, ref]) => {
    const expression = regExp(pattern);
    return expression === undefined ? [] : [[expression, ref] as const];
  });
}

export const patternProperties: Keyword = (constraints, _value, place) => {
  if (place.schema['properties'] === undefined) properties(constraints, {}, place);
};

export const additionalProperties: Keyword = (constraints, _value, place) => {
  const { schema } = place;
  if (schema['properties'] === undefined && schema['patternProperties'] === undefined)
    properties(constraints, {}, place);
};

export const propertyNames: Keyword = (constraints, value, place) => {
  constraints.impliedTypes.add('object');
  const ref = subschema(place, ['propertyNames'], value);
  if (ref !== undefined) constraints.propertyNames.push(ref);
};

export const required: Keyword = (constraints, value) => {
  constraints.impliedTypes.add('object');
  for (const name of textsIn(value)) constraints.required.add(name);
};

export const dependentRequired: Keyword = (constraints, value) => {
  constraints.impliedTypes.add('object');
  if (!isObject(value)) return;
  for (const [name, needed] of Object.entries(value)) {
    constraints.dependentRequired.set(name, [...(constraints.dependentRequired.get(name) ?? []), ...textsIn(needed)]);
  }
};

/** Either the property is absent, or it is present and its schema holds. */
export const dependentSchemas: Keyword = (constraints, value, place) => {
  constraints.impliedTypes.add('object');
  for (const [name, ref] of subschemaMap(place, 'dependentSchemas', value)) {
    constraints.choices.push({
      pointer: ref.pointer,
      alternatives: [
        { refs: [], forbid: [name] },
        { refs: [ref], require: [name] },
      ],
    });
  }
};

/** `unevaluatedProperties` and `unevaluatedItems`: only described members are generated; the validator checks the value. */
export const unevaluated: Keyword = (constraints, value) => {
  if (value === true) return;
  constraints.closed = true;
  constraints.needsValidation = true;
};

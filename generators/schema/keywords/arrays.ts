import type { Keyword } from '../constraints.ts';
import { countIn, subschemaList, subschema } from '../subschemas.ts';

/** Includes `prefixItems` of the same schema; before 2020-12, `items` itself could be that list. */
export const items: Keyword = (constraints, value, place) => {
  constraints.impliedTypes.add('array');
  const older = Array.isArray(value);
  const prefix = older
    ? subschemaList(place, 'items', value)
    : subschemaList(place, 'prefixItems', place.schema['prefixItems'] ?? []);
  const rest = older
    ? subschema(place, ['additionalItems'], place.schema['additionalItems'])
    : subschema(place, ['items'], value);
  constraints.list.tuples.push({ prefix, rest });
};

export const prefixItems: Keyword = (constraints, value, place) => {
  constraints.impliedTypes.add('array');
  if (place.schema['items'] === undefined)
    constraints.list.tuples.push({ prefix: subschemaList(place, 'prefixItems', value), rest: undefined });
};

/** Includes `minContains` and `maxContains` of the same schema. */
export const contains: Keyword = (constraints, value, place) => {
  constraints.impliedTypes.add('array');
  const ref = subschema(place, ['contains'], value);
  if (ref === undefined) return;
  const min = countIn(place.schema['minContains'] ?? 1) ?? 1;
  const max = countIn(place.schema['maxContains'] ?? null) ?? Infinity;
  constraints.list.contains.push({ ref, min, max });
  constraints.list.min = Math.max(constraints.list.min, min);
  constraints.needsValidation = true;
};

export const uniqueItems: Keyword = (constraints, value) => {
  constraints.impliedTypes.add('array');
  if (value === true) constraints.list.unique = true;
};

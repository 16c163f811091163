import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject, SchemaRef } from '../../../spec/index.ts';
import type { Alternative, Keyword, KeywordContext } from '../constraints.ts';
import { subschemaList, textsIn, subschema, VIRTUAL } from '../subschemas.ts';

/** Resolved when the schema is added; sibling keywords apply too. */
export const ref: Keyword = (constraints, value, place) => {
  if (typeof value === 'string') constraints.pending.push({ pointer: place.pointer, schema: { $ref: value } });
};

export const allOf: Keyword = (constraints, value, place) => {
  constraints.pending.push(...subschemaList(place, 'allOf', value));
};

export const anyOf: Keyword = (constraints, value, place) => {
  constraints.choices.push({ pointer: `${place.pointer}/anyOf`, alternatives: alternatives('anyOf', value, place) });
};

/** The validator checks on the generated value that no second alternative matches. */
export const oneOf: Keyword = (constraints, value, place) => {
  constraints.choices.push({ pointer: `${place.pointer}/oneOf`, alternatives: alternatives('oneOf', value, place) });
  if (place.schema['discriminator'] !== undefined)
    constraints.exclusiveAlternatives.push(subschemaList(place, 'oneOf', value));
  constraints.needsValidation = true;
};

/** Simple cases are excluded here; the validator checks the others on the generated value. */
export const not: Keyword = (constraints, value) => {
  constraints.needsValidation = true;
  if (value === true) constraints.impossible = 'not: true';
  if (!isObject(value) || Object.keys(value).length !== 1) return;
  const [name, ...more] = textsIn(value['required'] ?? null);
  if (name !== undefined && more.length === 0) constraints.forbidden.add(name);
  const type = value['type'];
  for (const known of constraints.types) if (known === type) constraints.types.delete(known);
};

/** Either `if` and `then` apply, or `else` applies and `if` does not, which is checked on the generated value. */
export const condition: Keyword = (constraints, value, place) => {
  const premise = subschema(place, ['if'], value);
  if (premise === undefined) return;
  const then = subschema(place, ['then'], place.schema['then']);
  const otherwise = subschema(place, ['else'], place.schema['else']);
  const held = [premise, ...(then === undefined ? [] : [then])];
  constraints.choices.push({
    pointer: premise.pointer,
    alternatives: [{ refs: held }, { refs: otherwise === undefined ? [] : [otherwise] }],
  });
  constraints.needsValidation = true;
};

/** Without `oneOf` or `anyOf` in the same schema: the value of the schema itself, from its mapping if it has one. */
export const discriminator: Keyword = (constraints, value, place) => {
  if (
    !isObject(value) ||
    !place.withDiscriminators ||
    place.schema['oneOf'] !== undefined ||
    place.schema['anyOf'] !== undefined
  )
    return;
  const property = value['propertyName'];
  if (typeof property !== 'string') return;
  const name = nameFor(place.root, value['mapping']);
  const schema = { properties: { [property]: { const: name } } };
  constraints.pending.push({ pointer: `${VIRTUAL}${place.pointer}/discriminator/${name}`, schema });
};

/** The alternatives of `anyOf` or `oneOf`; with a discriminator, each sets its own value. */
function alternatives(keyword: 'anyOf' | 'oneOf', value: Json, place: KeywordContext): Alternative[] {
  const names = place.withDiscriminators ? place.schema['discriminator'] : undefined;
  return subschemaList(place, keyword, value).map((item) => {
    const named = isObject(names) ? discriminated(names, item, place) : undefined;
    return named === undefined ? { refs: [item] } : { refs: [item, named.schema], require: [named.property] };
  });
}

function discriminated(
  names: JsonObject,
  item: SchemaRef,
  place: KeywordContext,
): { schema: SchemaRef; property: string } | undefined {
  const property = names['propertyName'];
  const target = isObject(item.schema) ? item.schema['$ref'] : undefined;
  if (typeof property !== 'string' || typeof target !== 'string') return undefined;
  const name = nameFor(target, names['mapping']);
  const pointer = `${VIRTUAL}${place.pointer}/discriminator/${name}`;
  return { property, schema: { pointer, schema: { properties: { [property]: { const: name } } } } };
}

/** The discriminator value of a schema: its key in the mapping, or else the last part of its `$ref`. */
function nameFor(target: string, mapping: Json | undefined): string {
  const last = target.split('/').at(-1) ?? target;
  const keys = isObject(mapping) ? Object.entries(mapping) : [];
  return keys.find(([, to]) => to === target || to === last)?.[0] ?? last;
}

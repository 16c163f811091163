import { isObject } from '../../../spec/index.ts';
import type { Json, JsonObject, SchemaRef } from '../../../spec/index.ts';
import type { Alternative, Keyword, Place } from '../draft.ts';
import { listUnder, texts, under, VIRTUAL } from '../place.ts';

/** Resolved by the gathering code; the keywords beside it hold too. */
export const ref: Keyword = (draft, value, place) => {
  if (typeof value === 'string') draft.also.push({ pointer: place.pointer, schema: { $ref: value } });
};

export const allOf: Keyword = (draft, value, place) => {
  draft.also.push(...listUnder(place, 'allOf', value));
};

export const anyOf: Keyword = (draft, value, place) => {
  draft.choices.push({ pointer: `${place.pointer}/anyOf`, alternatives: alternatives('anyOf', value, place) });
};

/** The validator checks on the finished value that no second alternative matches. */
export const oneOf: Keyword = (draft, value, place) => {
  draft.choices.push({ pointer: `${place.pointer}/oneOf`, alternatives: alternatives('oneOf', value, place) });
  if (place.schema['discriminator'] !== undefined) draft.apart.push(listUnder(place, 'oneOf', value));
  draft.risky = true;
};

/** Simple cases are avoided here; the validator checks the others on the finished value. */
export const not: Keyword = (draft, value) => {
  draft.risky = true;
  if (value === true) draft.impossible = 'not: true';
  if (!isObject(value) || Object.keys(value).length !== 1) return;
  const [name, ...more] = texts(value['required'] ?? null);
  if (name !== undefined && more.length === 0) draft.forbidden.add(name);
  const type = value['type'];
  for (const known of draft.types) if (known === type) draft.types.delete(known);
};

/** Either `if` and `then` hold, or `else` does and `if` does not, which is checked on the finished value. */
export const condition: Keyword = (draft, value, place) => {
  const premise = under(place, ['if'], value);
  if (premise === undefined) return;
  const then = under(place, ['then'], place.schema['then']);
  const otherwise = under(place, ['else'], place.schema['else']);
  const held = [premise, ...(then === undefined ? [] : [then])];
  draft.choices.push({
    pointer: premise.pointer,
    alternatives: [{ refs: held }, { refs: otherwise === undefined ? [] : [otherwise] }],
  });
  draft.risky = true;
};

/** Without `oneOf` or `anyOf` beside it: the name of the base schema itself, from its mapping if it has one. */
export const discriminator: Keyword = (draft, value, place) => {
  if (!isObject(value) || !place.naming || place.schema['oneOf'] !== undefined || place.schema['anyOf'] !== undefined)
    return;
  const property = value['propertyName'];
  if (typeof property !== 'string') return;
  const name = nameFor(place.root, value['mapping']);
  const schema = { properties: { [property]: { const: name } } };
  draft.also.push({ pointer: `${VIRTUAL}${place.pointer}/discriminator/${name}`, schema });
};

/** The alternatives of `anyOf` or `oneOf`; with a discriminator beside them each sets its own name. */
function alternatives(keyword: 'anyOf' | 'oneOf', value: Json, place: Place): Alternative[] {
  const names = place.naming ? place.schema['discriminator'] : undefined;
  return listUnder(place, keyword, value).map((item) => {
    const named = isObject(names) ? naming(names, item, place) : undefined;
    return named === undefined ? { refs: [item] } : { refs: [item, named.schema], require: [named.property] };
  });
}

function naming(names: JsonObject, item: SchemaRef, place: Place): { schema: SchemaRef; property: string } | undefined {
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

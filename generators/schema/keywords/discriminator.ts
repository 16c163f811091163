import { isObject } from '../../../spec/index.ts';
import type { Keyword } from '../draft.ts';
import { VIRTUAL } from '../place.ts';
import { nameFor } from './alternatives.ts';

/** Without `oneOf` or `anyOf` beside it: a base schema's own name, or what its mapping offers. */
export const discriminator: Keyword = (draft, value, place) => {
  if (!isObject(value) || !place.naming || place.schema['oneOf'] !== undefined || place.schema['anyOf'] !== undefined)
    return;
  const property = value['propertyName'];
  if (typeof property !== 'string') return;
  const name = nameFor(place.root, value['mapping']);
  const schema = { properties: { [property]: { const: name } } };
  draft.also.push({ pointer: `${VIRTUAL}${place.pointer}/discriminator/${name}`, schema });
};

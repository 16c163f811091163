import type { Keyword } from '../draft.ts';

/** Left over from OpenAPI 3.0 in a description that says it is 3.1; the validator decides whether it means anything. */
export const nullable: Keyword = (draft, value, { schema }) => {
  if (value === true && typeof schema['type'] === 'string' && draft.types.size === 1) draft.risky = true;
};

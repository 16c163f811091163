import { isObject } from '../../../spec/index.ts';
import type { Keyword } from '../draft.ts';
import { texts } from '../place.ts';

/** Judged on the finished value; only what is plain is avoided from the start. */
export const not: Keyword = (draft, value) => {
  draft.risky = true;
  if (value === true) draft.impossible = 'not: true';
  if (!isObject(value) || Object.keys(value).length !== 1) return;
  const [name, ...more] = texts(value['required'] ?? null);
  if (name !== undefined && more.length === 0) draft.forbidden.add(name);
  const type = value['type'];
  for (const known of draft.types) if (known === type) draft.types.delete(known);
};

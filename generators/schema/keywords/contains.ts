import type { Keyword } from '../draft.ts';
import { count, under } from '../place.ts';

/** With `minContains` and `maxContains` beside it. */
export const contains: Keyword = (draft, value, place) => {
  draft.hinted.add('array');
  const ref = under(place, ['contains'], value);
  if (ref === undefined) return;
  const min = count(place.schema['minContains'] ?? 1) ?? 1;
  const max = count(place.schema['maxContains'] ?? null) ?? Infinity;
  draft.list.contains.push({ ref, min, max });
  draft.list.min = Math.max(draft.list.min, min);
  draft.risky = true;
};

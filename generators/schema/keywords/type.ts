import type { Json } from '../../../spec/index.ts';
import { TYPES } from '../draft.ts';
import type { Keyword, TypeName } from '../draft.ts';

export const type: Keyword = (draft, value) => {
  const names: readonly Json[] = Array.isArray(value) ? value : [value];
  const allowed = new Set<TypeName>(TYPES.filter((name) => names.includes(name)));
  if (names.includes('integer') && !allowed.has('number')) {
    allowed.add('number');
    draft.number.whole = true;
  }
  if (allowed.size === 0) return;
  draft.typed = true;
  draft.types = new Set(TYPES.filter((name) => allowed.has(name) && draft.types.has(name)));
};

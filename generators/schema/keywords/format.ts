import type { Keyword } from '../draft.ts';

const NUMERIC = new Set(['int32', 'int64', 'float', 'double']);

/** On numbers and texts at once: each type's maker looks at the formats that mean something to it. */
export const format: Keyword = (draft, value) => {
  if (typeof value !== 'string') return;
  draft.hinted.add(NUMERIC.has(value) ? 'number' : 'string');
  draft.text.formats.push(value);
  draft.number.formats.push(value);
};

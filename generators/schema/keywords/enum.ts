import type { Json } from '../../../spec/index.ts';
import type { Draft, Keyword } from '../draft.ts';

export const enumeration: Keyword = (draft, value) => {
  if (Array.isArray(value)) narrow(draft, value);
};

/** Keeps the values that are allowed so far and in `allowed`. */
export function narrow(draft: Draft, allowed: readonly Json[]): void {
  const texts = new Set(allowed.map((item) => JSON.stringify(item)));
  draft.values = draft.values === undefined ? allowed : draft.values.filter((item) => texts.has(JSON.stringify(item)));
  if (draft.values.length === 0) draft.impossible = 'no value is left in the enumeration';
}

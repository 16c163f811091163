import type { Json } from '../../../spec/index.ts';
import { TYPES } from '../draft.ts';
import type { Draft, Keyword, TypeName } from '../draft.ts';
import { count } from '../place.ts';

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

/** Keeps the values that are allowed so far and in `allowed`. */
function narrow(draft: Draft, allowed: readonly Json[]): void {
  const texts = new Set(allowed.map((item) => JSON.stringify(item)));
  draft.values = draft.values === undefined ? allowed : draft.values.filter((item) => texts.has(JSON.stringify(item)));
  if (draft.values.length === 0) draft.impossible = 'no value is left in the enumeration';
}

export const enumeration: Keyword = (draft, value) => {
  if (Array.isArray(value)) narrow(draft, value);
};

export const constant: Keyword = (draft, value) => narrow(draft, [value]);

/** Left over from OpenAPI 3.0 in a 3.1 description; the validator decides whether it has an effect. */
export const nullable: Keyword = (draft, value, { schema }) => {
  if (value === true && typeof schema['type'] === 'string' && draft.types.size === 1) draft.risky = true;
};

/** A keyword whose value is a number. */
function numeric(apply: (number: Draft['number'], value: number) => void): Keyword {
  return (draft, value) => {
    draft.hinted.add('number');
    if (typeof value === 'number') apply(draft.number, value);
  };
}

export const minimum = numeric((number, value) => {
  number.min = Math.max(number.min, value);
});

export const maximum = numeric((number, value) => {
  number.max = Math.min(number.max, value);
});

export const exclusiveMinimum = numeric((number, value) => {
  number.above = Math.max(number.above, value);
});

export const exclusiveMaximum = numeric((number, value) => {
  number.below = Math.min(number.below, value);
});

export const multipleOf = numeric((number, value) => {
  if (value > 0) number.steps.push(value);
});

export const minLength: Keyword = (draft, value) => {
  draft.hinted.add('string');
  draft.text.min = Math.max(draft.text.min, count(value) ?? 0);
};

export const maxLength: Keyword = (draft, value) => {
  draft.hinted.add('string');
  draft.text.max = Math.min(draft.text.max, count(value) ?? Infinity);
};

export const pattern: Keyword = (draft, value) => {
  draft.hinted.add('string');
  if (typeof value === 'string') draft.text.patterns.push(value);
};

const NUMERIC = new Set(['int32', 'int64', 'float', 'double']);

/** Added to numbers and strings: each type's maker uses the formats that it knows. */
export const format: Keyword = (draft, value) => {
  if (typeof value !== 'string') return;
  draft.hinted.add(NUMERIC.has(value) ? 'number' : 'string');
  draft.text.formats.push(value);
  draft.number.formats.push(value);
};

import type { Json } from '../../../spec/index.ts';
import { TYPES } from '../constraints.ts';
import type { Constraints, Keyword, TypeName } from '../constraints.ts';
import { countIn } from '../subschemas.ts';

export const type: Keyword = (constraints, value) => {
  const names: readonly Json[] = Array.isArray(value) ? value : [value];
  const allowed = new Set<TypeName>(TYPES.filter((name) => names.includes(name)));
  if (names.includes('integer') && !allowed.has('number')) {
    allowed.add('number');
    constraints.number.integer = true;
  }
  if (allowed.size === 0) return;
  constraints.isTyped = true;
  constraints.types = new Set(TYPES.filter((name) => allowed.has(name) && constraints.types.has(name)));
};

/** Keeps the values that are allowed so far and in `allowed`. */
function narrow(constraints: Constraints, allowed: readonly Json[]): void {
  const texts = new Set(allowed.map((item) => JSON.stringify(item)));
  constraints.values =
    constraints.values === undefined ? allowed : constraints.values.filter((item) => texts.has(JSON.stringify(item)));
  if (constraints.values.length === 0) constraints.impossible = 'no value is left in the enumeration';
}

export const enumeration: Keyword = (constraints, value) => {
  if (Array.isArray(value)) narrow(constraints, value);
};

export const constant: Keyword = (constraints, value) => narrow(constraints, [value]);

/** OpenAPI 3.0 only; in a 3.1 description the validator decides whether it has an effect. */
export const nullable: Keyword = (constraints, value, { schema }) => {
  if (value === true && typeof schema['type'] === 'string' && constraints.types.size === 1)
    constraints.needsValidation = true;
};

/** A keyword whose value is a number. */
function numeric(apply: (number: Constraints['number'], value: number) => void): Keyword {
  return (constraints, value) => {
    constraints.impliedTypes.add('number');
    if (typeof value === 'number') apply(constraints.number, value);
  };
}

/** A lower bound: the highest one counts. */
export const atLeast = (side: 'min' | 'exclusiveMin'): Keyword =>
  numeric((number, value) => (number[side] = Math.max(number[side], value)));

/** An upper bound: the lowest one counts. */
export const atMost = (side: 'max' | 'exclusiveMax'): Keyword =>
  numeric((number, value) => (number[side] = Math.min(number[side], value)));

export const multipleOf = numeric((number, value) => {
  if (value > 0) number.multiples.push(value);
});

/** The minimum or maximum of a length or a number of items or properties. */
export function bound(type: TypeName, part: 'text' | 'list' | 'size', side: 'min' | 'max'): Keyword {
  return (constraints, value) => {
    constraints.impliedTypes.add(type);
    const limit = countIn(value);
    if (limit !== undefined)
      constraints[part][side] = Math[side === 'min' ? 'max' : 'min'](constraints[part][side], limit);
  };
}

export const pattern: Keyword = (constraints, value) => {
  constraints.impliedTypes.add('string');
  if (typeof value === 'string') constraints.text.patterns.push(value);
};

const NUMERIC = new Set(['int32', 'int64', 'float', 'double']);

/** Added to numbers and strings: each type's generator uses the formats that it knows. */
export const format: Keyword = (constraints, value) => {
  if (typeof value !== 'string') return;
  constraints.impliedTypes.add(NUMERIC.has(value) ? 'number' : 'string');
  constraints.text.formats.push(value);
  constraints.number.formats.push(value);
};

import { expect, it } from 'vitest';
import type { JsonObject, SchemaRef } from '../../spec/index.ts';
import { collectConstraints } from './collect-constraints.ts';

/** A schema with alternatives in alternatives. */
function nested(width: number, levels: number): JsonObject {
  if (levels === 0) return {};
  const below = nested(width, levels - 1);
  return {
    oneOf: Array.from({ length: width }, (_, value) => ({
      properties: { [`p${levels}`]: { const: value } },
      ...below,
    })),
  };
}

it.each([
  ['more than are combined', 6, 5, 480],
  ['few of them', 6, 2, 36],
  ['many on one level', 600, 1, 600],
])('alternatives in alternatives, %s, make a limited number of variants', (_, width, levels, most) => {
  const ref: SchemaRef = { pointer: '/a', schema: nested(width, levels) };
  const source = { document: {}, resolve: (each: SchemaRef) => each, validate: () => [] };
  const { length } = collectConstraints(source, [ref], true);
  expect(length).toBeLessThanOrEqual(most);
  expect(length).toBeGreaterThanOrEqual(Math.min(most, 400));
});

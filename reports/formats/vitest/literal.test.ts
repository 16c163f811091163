import { expect, test } from 'vitest';
import { literal } from './literal.ts';

test('secrets are read from the environment', () => {
  expect(literal('Bearer $ASSAY_TOKEN', new Map())).toBe("`Bearer ${env('ASSAY_TOKEN')}`");
  expect(literal('Bearer ${ASSAY_TOKEN%?}', new Map())).toBe("`Bearer ${env('ASSAY_TOKEN').slice(0, -1)}`");
  expect(literal('${x}', new Map())).toBe("'${x}'");
});

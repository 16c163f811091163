import { expect, test } from 'vitest';
import { literal } from './literal.ts';

test('secrets are read from the environment', () => {
  expect(literal('Bearer $ASSAY_TOKEN', new Map())).toBe("`Bearer ${env('ASSAY_TOKEN')}`");
  expect(literal('Bearer ${ASSAY_TOKEN%?}', new Map())).toBe("`Bearer ${env('ASSAY_TOKEN').slice(0, -1)}`");
  expect(literal('Bearer $(echo "$ASSAY_TOKEN" | tr A-Z a-z)', new Map())).toBe(
    "`Bearer ${env('ASSAY_TOKEN').toLowerCase()}`",
  );
  expect(literal('${x}', new Map())).toBe("'${x}'");
});

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

test('a short id is a variable as a segment of a path and as the value of a parameter for an id only', () => {
  const names = new Map([['1', 'id1']]);
  expect(literal('/v1/things/1?page=1&thingId=1', names)).toBe('`/v1/things/${id1}?page=1&thingId=${id1}`');
  expect(literal('{"page": 1}', names)).toBe(`'{"page": 1}'`);
  expect(literal('text/plain;q=0.1', names)).toBe("'text/plain;q=0.1'");
});

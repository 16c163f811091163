import { expect, it } from 'vitest';
import { sameValue } from './same-value.ts';

const NOON = '2024-02-29T12:00:00Z';
const UUID = 'abcdef00-0000-4000-8000-000000000000';

it.each([
  [1, 1.0, 'plain'],
  [0, -0, undefined],
  [null, undefined, 'date-time'],
  [NOON, '2024-02-29T14:00:00.0000000+02:00', 'date-time'],
  [NOON, '2024-02-29T12:00:00', 'date-time'],
  ['2024-02-29T12:00:00.1234567Z', '2024-02-29T12:00:00.123Z', 'date-time'],
  [NOON, '2024-02-29 12:00:00+00:00', undefined],
  [UUID, UUID.toUpperCase(), 'uuid'],
  [UUID, UUID.toUpperCase(), undefined],
])('%s means the same as %s in the format %s', (a, b, format) => {
  expect(sameValue(a, b, format)).toBe(true);
});

it.each([
  [1, 2, 'plain'],
  [1, '1', undefined],
  [null, '', 'plain'],
  [NOON, '2024-02-29T12:00:01Z', 'date-time'],
  [NOON, '2024-02-29T12:00:00+01:00', 'date-time'],
  ['2024-02-29T12:00:00.123Z', '2024-02-29T12:00:00.124Z', 'date-time'],
  [NOON, '2024-02-29T12:00:00.000Z', 'plain'],
  [UUID, UUID.toUpperCase(), 'plain'],
  [UUID, UUID.toUpperCase(), 'date-time'],
  ['Name', 'name', undefined],
])('%s differs from %s in the format %s', (a, b, format) => {
  expect(sameValue(a, b, format)).toBe(false);
});

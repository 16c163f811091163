import { expect, it } from 'vitest';
import type { Json } from '../../spec/index.ts';
import { isRespelled } from './respelled.ts';

const ACCENT = 'e\u0301';

const CLEANED: readonly [Json, Json][] = [
  [' a name ', 'a name'],
  [ACCENT, ACCENT.normalize('NFC')],
  ['a <b>name</b>', 'a name'],
  ['a\u0001b', 'ab'],
  ['a\u0085\u2028', 'a'],
  [' ', null],
  [
    { a: ' b ', c: 'd', e: null },
    { a: 'b', c: 'd', e: null },
  ],
  [{ [ACCENT]: 'b' }, { [ACCENT.normalize('NFC')]: 'b' }],
];

it.each(CLEANED)('%j stored as %j is only cleaned up', (sent, read) => {
  expect(isRespelled(sent, read)).toBe(true);
});

const ALTERED: readonly [Json, Json][] = [
  ['Name', 'name'],
  ['a & b', 'a &amp; b'],
  ['a  b', 'a b'],
  ['abc', ''],
  ['abc', null],
  ['1', 1],
  [{ a: ' b ' }, { a: 'b', c: 'd' }],
  [{ 'a ': 'b', a: 'c' }, { a: 'c' }],
  [
    { a: ' b ', c: 'd' },
    { a: 'b', c: 'D' },
  ],
];

it.each(ALTERED)('%j stored as %j is altered', (sent, read) => {
  expect(isRespelled(sent, read)).toBe(false);
});

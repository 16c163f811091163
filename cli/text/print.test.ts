import { expect, it } from 'vitest';
import { screenColumns, wrapLines } from './print.ts';

const file = {} as NodeJS.WriteStream;

it('takes the width of the terminal, else that of COLUMNS', () => {
  expect(screenColumns({ columns: 70 }, { COLUMNS: '60' })).toBe(70);
  expect(screenColumns(file, { COLUMNS: '60' })).toBe(60);
  for (const COLUMNS of ['', '0', '-5', 'wide']) expect(screenColumns(file, { COLUMNS })).toBeUndefined();
});

it('wraps lines at blanks, and never within a word', () => {
  const url = `https://data.example.com/${'x'.repeat(40)}`;
  const text = `error: short\n    hint: use one of several words, or see ${url} for all`;
  expect(wrapLines(text, 40).split('\n')).toEqual([
    'error: short',
    '    hint: use one of several words, or',
    '      see',
    `      ${url}`,
    '      for all',
  ]);
  expect(wrapLines(text, Infinity)).toBe(text);
});

import { expect, it } from 'vitest';
import { screenColumns } from './print.ts';

const file = {} as NodeJS.WriteStream;

it('takes the width of the terminal, else that of COLUMNS', () => {
  expect(screenColumns({ columns: 70 }, { COLUMNS: '60' })).toBe(70);
  expect(screenColumns(file, { COLUMNS: '60' })).toBe(60);
  for (const COLUMNS of ['', '0', '-5', 'wide']) expect(screenColumns(file, { COLUMNS })).toBeUndefined();
});

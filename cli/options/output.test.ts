import { expect, it } from 'vitest';
import { parseFormats } from '../../reports/index.ts';
import { OPTIONS } from './table.ts';

it('the help names the formats that there are', () => {
  const named = OPTIONS.report.about.replace(/^.*: /u, '').replace(' (always)', '').split(', ').sort();
  let hint = '';
  try {
    parseFormats('no-such-format');
  } catch (error) {
    hint = error instanceof Error && 'hint' in error ? String(error.hint) : '';
  }
  expect(
    hint
      .replace(/^.*?: /u, '')
      .replace(/\.$/u, '')
      .split(', ')
      .sort(),
  ).toEqual(named);
});

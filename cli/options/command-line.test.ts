import { Command } from 'commander';
import { expect, it } from 'vitest';
import type { Problem } from '../problems.ts';
import { flagsOf, operandsOf } from './command-line.ts';

it('takes the word after an unknown flag for its value', () => {
  const line = new Command('load').argument('[scenario...]').allowUnknownOption().exitOverride();
  line.parse(['mixed', '--duratoin', '1s', '--of=x', 'forms'], { from: 'user' });
  const problems: Problem[] = [];
  expect(operandsOf(line, { options: ['duration'] }, problems)).toEqual(['mixed', 'forms']);
  expect(problems.map(({ subject, hint }) => [subject, hint])).toEqual([
    ['--duratoin', 'did you mean --duration?'],
    ['--of', 'see --help'],
  ]);
});

it('hands the flags that are asked for on, secrets as variables', () => {
  const line = [
    'agent',
    '--fleet',
    'redis://h',
    '--token',
    's3cret',
    '--header',
    'A: b=c',
    '--header=D: e',
    '--insecure',
  ];
  expect(flagsOf(['token', 'header', 'insecure', 'ca'], [...line, '--max-rate', '5', '--limited-token=x'])).toEqual({
    words: ['--header', 'A: b=c', '--header', 'D: e', '--insecure'],
    env: { ASSAY_TOKEN: 's3cret' },
  });
});

it('takes a value that looks like a flag for a value', () => {
  expect(flagsOf(['insecure', 'ca'], ['load', '--ca', '--insecure'])).toEqual({
    words: ['--ca', '--insecure'],
    env: {},
  });
});

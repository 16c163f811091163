import { expect, it } from 'vitest';
import { flagsOf } from './command-line.ts';

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

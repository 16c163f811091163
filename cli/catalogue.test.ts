import { expect, it } from 'vitest';
import { SCENARIOS } from '../load/index.ts';
import { COMMANDS } from './catalogue.ts';
import { OPTIONS } from './options/table.ts';

it('the help names the scenarios that there are', () => {
  const named = Object.values(COMMANDS['load']?.operands ?? {})
    .join()
    .replace(/^some of | or files.*$/gu, '')
    .split(', ')
    .filter((name) => name !== '')
    .map((name) => name.replace(/,$/u, ''));
  expect(named.sort()).toEqual(Object.keys(SCENARIOS).sort());
});

it('every option is taken by a command, and every command has an example of itself', () => {
  const taken = new Set(Object.values(COMMANDS).flatMap(({ options }) => options));
  expect(Object.keys(OPTIONS).filter((name) => !taken.has(name as keyof typeof OPTIONS))).toEqual([]);
  for (const [name, { examples }] of Object.entries(COMMANDS)) {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example.startsWith(`assay ${name}`)).toBe(true);
  }
});

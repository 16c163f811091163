import { expect, it } from 'vitest';
import { COMMANDS } from './catalogue.ts';
import { OPTIONS } from './options/table.ts';

it('every option is taken by a command, and every command has examples', () => {
  const taken = new Set(Object.values(COMMANDS).flatMap(({ options }) => options));
  expect(Object.keys(OPTIONS).filter((name) => !taken.has(name as keyof typeof OPTIONS))).toEqual([]);
  for (const [name, { examples }] of Object.entries(COMMANDS)) {
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect(example.startsWith(`assay ${name}`)).toBe(true);
  }
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Problem } from '../problems.ts';
import { checkScenarios } from './scenario-problems.ts';
import { emptyDirectory } from '../../spec/testing/empty-directory.ts';

const dir = emptyDirectory();
const file = join(dir, 'visit.mjs');
writeFileSync(file, "export default { name: 'visit', async flow({ get }) { await get('/'); } };");

async function problems(...words: readonly ['load' | 'capacity', string?]): Promise<readonly Problem[]> {
  const found: Problem[] = [];
  await checkScenarios([file], words[0], words[1], found);
  return found;
}

test('a flow runs under load on one machine, and nowhere else', async () => {
  expect(await problems('load')).toEqual([]);
  expect(await problems('capacity')).toMatchObject([{ message: /fixed requests/, hint: /--stage/ }].map(asMatchers));
  expect(await problems('load', 'local')).toMatchObject([{ message: /one machine/, hint: /--fleet/ }].map(asMatchers));
  const unknown: Problem[] = [];
  await checkScenarios(['pagin'], 'load', undefined, unknown);
  expect(unknown).toEqual([
    {
      subject: 'pagin',
      message: 'is not a scenario',
      hint: 'did you mean paging-walk or paging-random or results-paging?',
    },
  ]);
});

test('keys and effects that do not exist are refused, with what was meant', async () => {
  const slips = join(dir, 'slips.mjs');
  writeFileSync(slips, "export const scenario = { name: 'v', rte: 5, effects: ['reed'], async flow() {} };");
  const found: Problem[] = [];
  await checkScenarios([slips], 'load', undefined, found);
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(/invalid: rte is not a known key \(did you mean rate\?\); "reed" is not .* mean read\?\)/),
  ]);
  const whole = join(dir, 'whole.mjs');
  writeFileSync(whole, "export const name = 'v'; export const helper = 5; export async function flow() {}");
  await checkScenarios([whole], 'load', undefined, found);
  expect(found).toHaveLength(1);
});

test('a mistake in a data file is named with its line', async () => {
  const flow = join(dir, 'rows.mjs');
  writeFileSync(flow, "export default { name: 'rows', data: { people: 'p.ndjson' }, async flow() {} };");
  writeFileSync(join(dir, 'p.ndjson'), '{"a":1}\n\n{"a":\n');
  const found: Problem[] = [];
  await checkScenarios([flow], 'load', undefined, found);
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('line 3 is not JSON')]);
});

function asMatchers(patterns: { readonly message: RegExp; readonly hint: RegExp }): object {
  return { message: expect.stringMatching(patterns.message), hint: expect.stringMatching(patterns.hint) };
}

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../architecture/files.ts';
import type { HostilityName } from './behaviours.ts';
import { meet } from './meet.ts';

const COMMAND = [process.execPath, join(ROOT, 'dist/cli/main.js')];

/** A few that stand for the rest; `bench/hostile/run.ts` meets them all. */
const SOME: readonly HostilityName[] = ['echo-header', 'terminal-escapes', 'endless-body', 'redirect-elsewhere'];

test.concurrent.each(SOME)('%s: it ends with a finding or an error, and no token gets out', async (name) => {
  const met = await meet(name, {
    command: COMMAND,
    polite: 20,
    args: ['--only', 'contract/operations'],
    mostMs: 55_000,
  });
  expect(
    { code: met.code === 1 || met.code === 3, leaks: met.leaks, escapes: met.escapes, strays: met.strays },
    met.output.slice(-2000),
  ).toEqual({ code: true, leaks: [], escapes: 0, strays: 0 });
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../architecture/files.ts';
import { HOSTILITIES } from './behaviours.ts';
import type { HostilityName } from './behaviours.ts';
import { meet } from './meet.ts';

const COMMAND = [process.execPath, join(ROOT, 'dist/cli/main.js')];

/** A few that stand for the rest; with ASSAY_ALL_HOSTILE set, all of them. */
const SOME: readonly HostilityName[] = ['echo-header', 'terminal-escapes', 'endless-body', 'redirect-elsewhere'];
const CHOSEN =
  process.env['ASSAY_ALL_HOSTILE'] === undefined ? SOME : (Object.keys(HOSTILITIES) as readonly HostilityName[]);

test.concurrent.each(CHOSEN)('%s: the run ends with a finding or an error, and no token is written', async (name) => {
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

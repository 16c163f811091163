import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../architecture/files.ts';
import { HOSTILE_BEHAVIOURS } from './behaviours.ts';
import type { HostileBehaviour } from './behaviours.ts';
import { runAgainst } from './run-against.ts';

const COMMAND = [process.execPath, join(ROOT, 'dist/cli/main.js')];

/** A few that stand for the rest; with ASSAY_ALL_HOSTILE set, all of them. */
const SOME: readonly HostileBehaviour[] = ['echo-header', 'terminal-escapes', 'endless-body', 'redirect-elsewhere'];
const CHOSEN =
  process.env['ASSAY_ALL_HOSTILE'] === undefined
    ? SOME
    : (Object.keys(HOSTILE_BEHAVIOURS) as readonly HostileBehaviour[]);

test.concurrent.each(CHOSEN)('%s: the run ends with a finding or an error, and no token is written', async (name) => {
  const outcome = await runAgainst(name, {
    command: COMMAND,
    normalResponses: 20,
    args: ['--only', 'contract/operations'],
    mostMs: 55_000,
  });
  expect(
    {
      code: outcome.code === 1 || outcome.code === 3,
      leaks: outcome.leaks,
      escapes: outcome.escapes,
      unexpectedRequests: outcome.unexpectedRequests,
    },
    outcome.output.slice(-2000),
  ).toEqual({ code: true, leaks: [], escapes: 0, unexpectedRequests: 0 });
});

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../spec/index.ts';
import { ROOT } from '../architecture/files.ts';
import { HOSTILE_BEHAVIOURS } from './behaviours.ts';
import type { HostileBehaviour } from './behaviours.ts';
import { runAgainst } from './run-against.ts';

const COMMAND = [process.execPath, join(ROOT, 'dist/cli/main.js')];

/** A finding, an error of the target, or too few answers for a verdict. */
const ENDS: readonly number[] = [EXIT.failed, EXIT.unreachable, EXIT.inconclusive];

/** Two that stand for the rest, which run at night. */
const FIRST: readonly HostileBehaviour[] = ['echo-header', 'redirect-elsewhere'];

describe.concurrent.each(Object.keys(HOSTILE_BEHAVIOURS) as HostileBehaviour[])('%s', (name) => {
  const tags = FIRST.includes(name) ? [] : ['nightly'];
  test('the run does not pass, and no token is written', { tags }, async () => {
    const outcome = await runAgainst(name, {
      command: COMMAND,
      normalResponses: 20,
      args: ['--only', 'contract/operations'],
      mostMs: 55_000,
    });
    expect(
      {
        code: ENDS.includes(outcome.code ?? EXIT.passed),
        leaks: outcome.leaks,
        escapes: outcome.escapes,
        unexpectedRequests: outcome.unexpectedRequests,
      },
      outcome.output.slice(-2000),
    ).toEqual({ code: true, leaks: [], escapes: 0, unexpectedRequests: 0 });
  });
});

import { describe, expect, test } from 'vitest';
import { EXIT } from '../../spec/index.ts';
import { HOSTILE_BEHAVIOURS } from './behaviours.ts';
import type { HostileBehaviour } from './behaviours.ts';
import { runAgainst } from './run-against.ts';

/** A finding, an error of the target, or too few answers for a verdict. */
const ENDS: readonly number[] = [EXIT.failed, EXIT.unreachable, EXIT.inconclusive];

/** Two that stand for the rest, which run at night. */
const FIRST: readonly HostileBehaviour[] = ['echo-header', 'redirect-elsewhere'];

describe.concurrent.each(Object.keys(HOSTILE_BEHAVIOURS) as HostileBehaviour[])('%s', (name) => {
  const tags = FIRST.includes(name) ? [] : ['nightly'];
  test('the run does not pass, and no token is written', { tags }, async () => {
    const { code, output, ...found } = await runAgainst(name);
    expect(ENDS, output.slice(-2000)).toContain(code);
    expect(found, output.slice(-2000)).toEqual({ leaks: [], escapes: 0, unexpectedRequests: 0 });
  });
});

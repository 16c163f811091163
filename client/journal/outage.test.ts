import { expect, test } from 'vitest';
import { targetOf } from '../testing/fixtures.ts';
import { RESOURCE, runOfThings, serveThings, thing } from '../testing/things.ts';
import type { Things } from '../testing/things.ts';
import type { CleanUpReport } from './clean-up.ts';
import { throughOutage } from './outage.ts';

const UUID = '11111111-1111-4111-8111-111111111111';

/** A service with an item that a run created, and what cleans up after the run. */
async function withItem(): Promise<{ readonly things: Things; clean: (longestMs?: number) => Promise<CleanUpReport> }> {
  const { things, journal, target, clean } = await runOfThings();
  await journal.acknowledge(await journal.intend(thing('assay-r1-n1')), UUID);
  await journal.close();
  things.store.set(UUID, { id: UUID, name: 'assay-r1-n1' });
  return { things, clean: (longestMs) => clean({}, throughOutage(target, longestMs)) };
}

test.each([503, 'reset'] as const)('a clean-up waits for the end of an outage (%s)', async (how) => {
  const { things, clean } = await withItem();
  const endsAt = performance.now() + 800;
  things.intercept = (request, response) => {
    if (performance.now() > endsAt) return false;
    if (how === 'reset') request.socket.resetAndDestroy();
    else response.writeHead(how).end();
    return true;
  };
  expect(await clean()).toMatchObject({ created: 1, removed: 1, left: [] });
  expect(things.store.size).toBe(0);
});

test('what a gateway refuses for longer is left, with the reason', async () => {
  const { things, clean } = await withItem();
  things.intercept = (_, response) => Boolean(response.writeHead(502).end());
  const report = await clean(700);
  expect(report).toMatchObject({ removed: 0, left: [{ id: UUID, reason: expect.stringContaining('502') as string }] });
});

test.each([
  ['another change', 503, { operation: RESOURCE.create, json: {} }],
  ['the removal of a number, which may be given again', 502, { operation: RESOURCE.remove, path: { id: 7 } }],
])('%s is sent once', async (_, status, spec) => {
  const things = await serveThings();
  let requests = 0;
  things.intercept = (_request, response) => Boolean((requests += 1) && response.writeHead(status).end());
  await throughOutage(targetOf(things)).send(spec);
  expect(requests).toBe(1);
});

import { expect, test } from 'vitest';
import { operation } from '../../client/testing/fixtures.ts';
import type { Exchange, Finding, TestVerdict } from '../../spec/index.ts';
import type { TestMeta } from './context.ts';
import { Outages } from './outages.ts';

const READ = operation({ path: '/things' });

const answer = (status: number): Exchange =>
  ({ operation: READ.id, identity: 'full', response: { status } }) as unknown as Exchange;

/** A finding whose last request was answered with that status. */
const found = (fingerprint: string, status: number): Finding =>
  ({
    fingerprint,
    operation: 'GET /other',
    steps: [{ sentAt: Date.now(), response: { status } }],
  }) as unknown as Finding;

const ended = (verdict: TestVerdict, ...findings: readonly Finding[]): TestMeta =>
  ({ test: { verdict, findings, statuses: [] }, observations: [] }) as unknown as TestMeta;

/** Runs a test that ends like this each time; a read gets these statuses in turn, the last for ever. Returns its outcome and runs. */
async function outcome(metas: readonly TestMeta[], statuses: readonly number[], isOver = false) {
  let [runs, reads] = [0, 0];
  const outages = new Outages({
    send: async () => answer(statuses[Math.min(reads++, statuses.length - 1)] ?? 200),
    isOver: () => isOver,
    onEnd: () => undefined,
  });
  outages.note(READ, {}, answer(200));
  const { meta, ofOutage, again } = await outages.during(async () => metas[runs++] ?? expect.fail('no more runs'));
  const names = (findings: readonly Finding[]) => findings.map(({ fingerprint }) => fingerprint);
  return { runs, again, verdict: meta.test.verdict, findings: names(meta.test.findings), ofOutage: names(ofOutage) };
}

test('a test that met an outage of the target runs again after it', async () => {
  const before = found('before', 400);
  const metas = [ended('failed', before, found('gateway', 503), found('after', 200)), ended('passed')];
  expect(await outcome(metas, [503, 503, 200])).toEqual({
    runs: 2,
    again: 'whole',
    verdict: 'passed',
    findings: ['before'],
    ofOutage: ['gateway', 'after'],
  });
});

test('what fails after the outage too was not of it', async () => {
  const metas = [ended('failed', found('gateway', 503)), ended('failed', found('gateway', 503))];
  const again = { runs: 2, verdict: 'failed', findings: ['gateway'], ofOutage: [] };
  expect(await outcome(metas, [503, 200])).toMatchObject(again);
});

test('a test runs once where another operation is served meanwhile, and where the service itself fails', async () => {
  const once = { runs: 1, verdict: 'failed', findings: ['f'], ofOutage: [] };
  expect(await outcome([ended('failed', found('f', 503))], [200])).toMatchObject(once);
  expect(await outcome([ended('failed', found('f', 500))], [503, 200])).toMatchObject(once);
});

test('without time for it, the test counts as not run', async () => {
  const unrun = { runs: 1, again: 'cut', verdict: 'skipped', findings: [], ofOutage: ['f'] };
  expect(await outcome([ended('failed', found('f', 503))], [503], true)).toMatchObject(unrun);
});

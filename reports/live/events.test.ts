import { expect, it } from 'vitest';
import { sampleTest } from '../testing/sample-run.ts';
import { eventOf } from './events.ts';

const record = sampleTest(0, true);

it('sends whole commands only, and says why a curl command may show nothing', () => {
  const shown = (change: object): unknown =>
    eventOf({ ...record, findings: record.findings.map((each) => ({ ...each, ...change })) })?.[1];
  const curl = `curl -sS ${'x'.repeat(3000)}`;
  expect(shown({ curl })).toMatchObject({
    findings: [{ commands: [curl, expect.stringContaining('verify')], note: '' }],
  });
  expect(shown({ curl, curlShows: 'part' })).toMatchObject({
    findings: [{ commands: [expect.stringContaining('verify')], note: expect.stringContaining('No curl command') }],
  });
});

it('tells a test with known findings only from one that failed', () => {
  expect(eventOf(record, () => true)?.[1]).toMatchObject({ verdict: 'known', findings: [{ known: true }] });
  expect(eventOf(record)?.[1]).toMatchObject({ verdict: 'failed', findings: [{ known: false }] });
});

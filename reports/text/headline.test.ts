import { expect, it } from 'vitest';
import type { MergedFinding, RequirementSummary, Summary } from '../summary/types.ts';
import { summarise } from '../summary/summarise.ts';
import { sampleLoad } from '../testing/sample-load.ts';
import { descriptionDetails, findingsText, headline, violatedText } from './headline.ts';

function violatedBy(...fails: readonly boolean[]): string {
  const ids = fails.map((_, index) => `requirement-${index}`);
  const requirements = ids.map((id) => ({ id, verdict: 'violated' }) as RequirementSummary);
  const findings = ids.map((requirement, index) => ({ requirement, fails: fails[index] }) as MergedFinding);
  return violatedText({ requirements, findings } as unknown as Summary);
}

it('says how many of the violated requirements fail the run', () => {
  expect(violatedBy(true, true)).toBe('2 violated');
  expect(violatedBy(true, false, true)).toBe('3 violated (2 fail the run)');
  expect(violatedBy(true, false)).toBe('2 violated (1 fails the run)');
  expect(violatedBy(false)).toBe('1 violated (none fails the run)');
});

it('says which part of the description could not be read', () => {
  const spec = { title: 'A', source: 'a.yaml', operations: 1, file: 'a.yaml' };
  expect(descriptionDetails(spec)).toEqual([]);
  const errors = ['/a/$ref', '/b/$ref'].map((pointer) => ({ pointer, message: '"#/x" does not exist.' }));
  expect(descriptionDetails({ ...spec, errors })).toEqual([
    expect.stringMatching(/^2 errors in the description.*assay spec lint a.yaml.*"#\/x" does not exist. #\/a\/\$ref$/u),
  ]);
});

it('says in one line what the time was too short for', () => {
  const timeLine = (outOfTime: number, cutShort: number): string | undefined =>
    headline({
      ...summarise([]),
      totals: { passed: 5, failed: 0, skipped: 3, errors: 0, exchanges: 0, cases: 0, outOfTime },
      cutShort: Array.from({ length: cutShort }, () => ({ what: 'a', cases: 1, reason: 'time' })),
    }).details.find((line) => line.startsWith('Time'));
  expect(timeLine(0, 0)).toBeUndefined();
  expect(timeLine(2, 0)).toMatch(/^Time was too short: 2 of 8 tests did not run; /);
  expect(timeLine(0, 1)).toMatch(/^Time was too short: 1 of 8 tests had fewer cases than planned; /);
  expect(timeLine(2, 1)).toMatch(/^Time was too short: 2 of 8 tests did not run, 1 had fewer cases than planned; /);
});

it('says what to do where the load generator limited the run', () => {
  const records = sampleLoad().map((record) =>
    record.type === 'scenario' && record.detail !== undefined
      ? { ...record, detail: { ...record.detail, generatorLimit: 'generator lag p99 12.8 ms, allowed 2.0 ms' } }
      : record,
  );
  const advice = 'Run it on a quieter machine, with a lower --rate, or with --fleet.';
  expect(headline(summarise(records)).details).toContain(advice);
  expect(headline(summarise(sampleLoad())).details).not.toContain(advice);
});

it('says where a rate limit took the time', () => {
  const details = (waitedMs: number): readonly string[] =>
    headline({
      ...summarise([]),
      durationMs: 60_000,
      totals: { passed: 5, failed: 0, skipped: 3, errors: 0, exchanges: 0, cases: 0, outOfTime: 2 },
      statistics: { ...NOTHING_SENT, repeats: { 'status-429': 9 }, waitedMs: { 'rate-limit': waitedMs } },
    }).details;
  expect(details(90_000)).toContain(
    'The deployment asked to wait 9 times (429, 503): requests waited 1 min 30 s in all.',
  );
  expect(details(1000).join()).not.toContain('wait');
});

it('names the request that had no response when the time was used up', () => {
  const unanswered = [
    { operation: 'POST /items', body: '[]', waitedMs: 17_000 },
    { operation: 'GET /items', waitedMs: 9_000 },
  ];
  const details = (amount: number): string =>
    headline({
      ...summarise([]),
      statistics: { ...NOTHING_SENT, waitedMs: {}, unanswered: unanswered.slice(0, amount) },
    }).details.join();
  expect(details(0)).not.toContain('no response');
  expect(details(1)).toContain(
    'POST /items with the body [] had had no response for 17.0 s when the time was used up.',
  );
  expect(details(2)).toContain(
    '2 requests had had no response when the time was used up; the first was POST /items with',
  );
});

const NOTHING_SENT = { exchanges: 0, attempts: 0, failures: 0, responseBytes: 0, repeats: {}, operations: [] };

it('counts the findings as the headline does, then those that do not fail the run', () => {
  const text = (...findings: readonly (readonly [fails: boolean, known: boolean])[]): string => {
    const all = findings.map(([fails, known], index) => ({ fails, known, fingerprint: `${index}` }) as MergedFinding);
    return findingsText({ findings: all, groups: [{ lead: '0' }] } as unknown as Summary);
  };
  expect(text([true, false], [true, false])).toBe('2 findings, probably 1 root cause');
  expect(text([true, false], [true, false], [false, false], [false, true])).toBe(
    '2 findings that fail the run, probably 1 root cause; 1 warning; 1 known finding',
  );
  expect(text([false, false], [false, false])).toBe('2 warnings');
});

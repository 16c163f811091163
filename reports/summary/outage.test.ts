import { expect, it } from 'vitest';
import type { TestRecord } from '../../spec/index.ts';
import { answered, finding } from '../testing/merged-finding.ts';
import { withOutage } from './outage.ts';

/** The severities of failures of some operations with that status, at those times. */
function severities(status: number, times: readonly number[], recurred?: boolean): readonly string[] {
  const findings = times.map((sentAt, index) => {
    const steps = answered(status).steps.map((step) => ({ ...step, sentAt }));
    const names = { fingerprint: `f${index}`, operation: `GET /${index}`, code: 'no-server-error/status' } as const;
    return finding({ ...names, steps, curlShows: 'sometimes', ...(recurred === undefined ? {} : { recurred }) });
  });
  return withOutage(findings, [{ findings } as unknown as TestRecord], false).map(
    ({ severity, fails }) => `${severity}${fails ? ' fails' : ''}`,
  );
}

const VIOLATION = 'violation fails';

it('one short outage behind a gateway is a warning', () => {
  expect(severities(502, [1_000, 2_000, 4_000])).toEqual(['warning', 'warning', 'warning']);
  expect(severities(504, [1_000], false)).toEqual(['warning']);
});

it('an item that could not be read in the outage is a warning too', () => {
  const code = 'created-reads-back/not-readable';
  const unread = finding({ ...answered(503), code, curlShows: 'sometimes', recurred: false });
  const findings = withOutage([unread], [{ findings: [unread] } as unknown as TestRecord], false);
  expect(findings.map(({ severity }) => severity)).toEqual(['warning']);
});

it('what a test reports because of the outage is a warning too', () => {
  const failing = finding({
    ...answered(502),
    code: 'no-server-error/status',
    curlShows: 'sometimes',
    recurred: false,
  });
  const caused = finding({
    fingerprint: 'caused',
    code: 'unknown-id/status',
    cause: failing.fingerprint,
    recurred: false,
  });
  const other = finding({ fingerprint: 'other', code: 'unknown-id/status', recurred: false });
  const findings = withOutage([failing, caused, other], [{ findings: [failing] } as unknown as TestRecord], false);
  expect(findings.map(({ severity }) => severity)).toEqual(['warning', 'warning', 'violation']);
});

it('failures that recur, are spread over the run or are of the service are violations', () => {
  expect(severities(503, [1_000], true)).toEqual([VIOLATION]);
  expect(severities(503, [1_000])).toEqual([VIOLATION]);
  expect(severities(502, [1_000, 2_000, 20_000], false)).toEqual([VIOLATION, VIOLATION, VIOLATION]);
  expect(severities(500, [1_000, 1_100, 1_200], false)).toEqual([VIOLATION, VIOLATION, VIOLATION]);
});

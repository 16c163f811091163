import { isOfGateway } from '../../spec/index.ts';
import type { TestRecord } from '../../spec/index.ts';
import { lastStatus } from './statuses.ts';
import type { MergedFinding } from './types.ts';

/** Longest time, in milliseconds, in which a gateway answers itself because a service restarts behind it. */
const LONGEST_MS = 10_000;
/** Operations that fail within it where it is unknown whether the failures recur. */
const MANY_OPERATIONS = 3;

/** True where a gateway answered now and then, whatever was expected: an error at any request, or at the read of what was created. */
const isOfOutage = (finding: MergedFinding): boolean =>
  finding.curlShows === 'sometimes' && isOfGateway(lastStatus(finding)) && finding.recurred !== true;

/** The findings; those that one short outage behind a gateway explains, and that did not recur, are warnings, also those that it caused. */
export function withOutage(
  findings: readonly MergedFinding[],
  tests: readonly TestRecord[],
  strict: boolean,
): readonly MergedFinding[] {
  const failures = findings.filter(isOfOutage);
  const fingerprints = new Set(failures.map(({ fingerprint }) => fingerprint));
  const times = tests
    .flatMap((test) => test.findings.filter(({ fingerprint }) => fingerprints.has(fingerprint)))
    .map(({ steps }) => steps.at(-1)?.sentAt ?? 0);
  if (Math.max(...times) - Math.min(...times) > LONGEST_MS) return findings;
  const areMany = new Set(failures.map(({ operation }) => operation)).size >= MANY_OPERATIONS;
  return findings.map((finding) =>
    (fingerprints.has(finding.fingerprint) || fingerprints.has(finding.cause ?? '')) &&
    (finding.recurred === false || (areMany && finding.recurred === undefined))
      ? { ...finding, severity: 'warning', grade: 'inferred', fails: finding.fails && strict }
      : finding,
  );
}

import { Status } from 'allure-js-commons';
import type { StatusDetails } from 'allure-js-commons';
import type { Category, EnvironmentInfo } from 'allure-js-commons/sdk';
import type { TestRecord } from '../../../spec/index.ts';
import type { Summary } from '../../summary/types.ts';
import { findingText } from '../../text/finding.ts';
import { clip, visible } from '../../text/visible.ts';

export const CATEGORIES: Category[] = [
  { name: 'Violations', matchedStatuses: [Status.FAILED] },
  { name: 'Errors', matchedStatuses: [Status.BROKEN] },
  { name: 'Known findings', matchedStatuses: [Status.SKIPPED], messageRegex: '^known: .*' },
  { name: 'Skipped', matchedStatuses: [Status.SKIPPED] },
];

export function environmentOf({ target, spec, seed, version }: Summary): EnvironmentInfo {
  return { target: target.baseUrl, description: spec.title, seed: String(seed), assay: version, node: process.version };
}

export interface Outcome {
  readonly status: Status;
  readonly statusDetails: StatusDetails;
}

/** The outcome of a test as the run's verdict counts it: a known finding does not fail, a warning only with `--strict`. */
export function outcomesOf(summary: Summary): (test: TestRecord) => Outcome {
  const findings = new Map(summary.findings.map((finding) => [finding.fingerprint, finding]));
  return (test) => {
    const found = test.findings.flatMap(({ fingerprint }) => findings.get(fingerprint) ?? []);
    const failing = found.filter((finding) => finding.fails);
    if (failing.length > 0) {
      const message = failing.map((finding) => clip(visible(finding.message), 2000)).join('\n');
      const trace = failing.map((finding) => visible(clip(findingText(finding), 10_000))).join('\n\n');
      return { status: Status.FAILED, statusDetails: { message, trace } };
    }
    const known = found.find((finding) => finding.known);
    if (known !== undefined) return skipped(`known: ${clip(known.message, 2000)} (${known.baselineReason ?? ''})`);
    if (test.verdict === 'skipped') return skipped(test.reason ?? '');
    if (test.verdict === 'error' || (test.verdict === 'failed' && found.length === 0))
      return { status: Status.BROKEN, statusDetails: { message: visible(test.reason ?? 'no finding') } };
    return { status: Status.PASSED, statusDetails: {} };
  };
}

function skipped(message: string): Outcome {
  return { status: Status.SKIPPED, statusDetails: { message: visible(message) } };
}

import { Status } from 'allure-js-commons';
import type { StatusDetails } from 'allure-js-commons';
import type { Category, EnvironmentInfo } from 'allure-js-commons/sdk';
import type { TestRecord } from '../../../spec/index.ts';
import { outcomesOf as testOutcomesOf } from '../../summary/test-outcome.ts';
import type { Summary } from '../../summary/types.ts';
import { findingText } from '../../text/finding.ts';
import { clip, visible } from '../../text/visible.ts';

export const CATEGORIES: Category[] = [
  { name: 'Violations', matchedStatuses: [Status.FAILED] },
  { name: 'Errors', matchedStatuses: [Status.BROKEN] },
  { name: 'Known findings', matchedStatuses: [Status.SKIPPED], messageRegex: '^known: .*' },
  { name: 'Skipped', matchedStatuses: [Status.SKIPPED] },
];

export function environmentIn({ target, spec, seed, version }: Summary): EnvironmentInfo {
  return { target: target.baseUrl, description: spec.title, seed: String(seed), assay: version, node: process.version };
}

export interface AllureOutcome {
  readonly status: Status;
  readonly statusDetails: StatusDetails;
}

export function allureOutcomes(summary: Summary): (test: TestRecord) => AllureOutcome {
  const outcomeOf = testOutcomesOf(summary);
  return (test) => {
    const { status, failing, reason } = outcomeOf(test);
    if (status !== 'failed')
      return { status: STATUS[status], statusDetails: reason === '' ? {} : { message: visible(clip(reason, 2000)) } };
    const message = failing.map((finding) => clip(visible(finding.message), 2000)).join('\n');
    const trace = failing.map((finding) => visible(clip(findingText(finding), 10_000))).join('\n\n');
    return { status: Status.FAILED, statusDetails: { message, trace } };
  };
}

const STATUS = { passed: Status.PASSED, skipped: Status.SKIPPED, error: Status.BROKEN } as const;

import { basename } from 'node:path';
import type { Finding, RunRecord, TestRecord } from '../../spec/index.ts';
import { shownVerdict } from '../console/progress.ts';
import type { LiveLoad, LiveState } from '../console/progress.ts';
import { testedOperations, testState } from '../formats/html/matrix-data.ts';
import { gravity, KIND_NAMES, kindOf } from '../summary/kinds.ts';
import type { Summary } from '../summary/types.ts';
import { limitText, sustained } from '../text/capacity.ts';
import { commandsOf, curlNote } from '../text/finding.ts';
import { headline } from '../text/headline.ts';
import { amountOf, measured } from '../text/numbers.ts';
import { clip } from '../text/visible.ts';

/** A message to the page: a record with what the page shows of it. */
export type PageEvent = readonly [type: string, value: unknown];

const MESSAGE = 400;
const FACT = 2000;

type IsKnown = (finding: Finding) => boolean;

/** A record for the page; undefined for one that it does not show. `isKnown` tells the findings of the baseline. */
export function eventOf(record: RunRecord, isKnown: IsKnown = () => false): PageEvent | undefined {
  const shown = (finding: Finding): object => findingOf(finding, isKnown);
  switch (record.type) {
    case 'run-start': {
      const { command, target, spec, seed, startedAt, options } = record;
      return ['start', { command, target, title: spec.title, seed, startedAt, thresholds: options['thresholds'] }];
    }
    case 'operation':
      return ['operation', record.id];
    case 'test':
      return ['test', testOf(record, isKnown)];
    case 'rerun':
      return ['rerun', record.tests.flatMap(({ findings }) => findings.map(shown))];
    case 'tick':
      return ['tick', record];
    case 'capacity':
      return ['capacity', { ...record, found: sustained(record), limit: limitText(record) }];
    case 'scenario': {
      const { histogram: _histogram, findings = [], thresholds, ...rest } = record;
      const judged = thresholds.map((threshold) => ({ ...threshold, measured: measured(threshold) }));
      return ['scenario', { ...rest, thresholds: judged, findings: findings.map(shown) }];
    }
    case 'error':
      return ['error', { message: clip(record.message, FACT), hint: record.hint }];
    case 'effects':
      return ['effects', { created: record.created, removed: record.removed, left: amountOf(record.left) }];
    case 'run-end':
      return ['ended', { durationMs: record.durationMs, interrupted: record.interrupted }];
    default:
      return undefined;
  }
}

export function liveEvent(state: LiveState): PageEvent {
  return ['live', state];
}

/** The figures of the last second of a search for the capacity, for the charts; `errorsBefore`: those of its step so far. */
export function tickEvent(
  { scenario, offeredRate, rate, errors, inFlight, p50, p99 }: LiveLoad,
  errorsBefore: number,
): PageEvent {
  const since = errors < errorsBefore ? errors : errors - errorsBefore;
  return ['tick', { scenario, offeredRate, rate, errors: since, inFlight, latencyMs: { p50, p99 } }];
}

export const reportOf = (files: readonly string[]): string | undefined =>
  files.find((file) => basename(file) === 'report.html');

/** Verdict, totals, root causes and report files. */
export function verdictEvent(summary: Summary, files: readonly string[]): PageEvent {
  const { verdict, groups, totals } = summary;
  const { passed, failed, known = 0, errors, skipped } = totals;
  const causes = groups.map(({ lead, same, related }) => [lead, ...same, ...related]);
  return [
    'verdict',
    {
      verdict,
      sentence: headline(summary).sentence,
      causes,
      totals: { passed, failed: failed - known + errors, known, skipped },
      files,
      hasReport: reportOf(files) !== undefined,
    },
  ];
}

function testOf(test: TestRecord, isKnown: IsKnown): object {
  const { suite, checks, statuses, findings } = test;
  const requests = statuses.reduce((sum, each) => sum + each.count, 0);
  const operations = testedOperations(test).map((operation) => [operation, testState(test, operation)]);
  const verdict = shownVerdict(test, isKnown);
  return { suite, operations, checks, verdict, requests, findings: findings.map((each) => findingOf(each, isKnown)) };
}

function findingOf(finding: Finding, isKnown: IsKnown): object {
  const { fingerprint, check, operation, form, severity } = finding;
  return {
    fingerprint,
    check,
    operation,
    form,
    severity,
    known: isKnown(finding),
    kind: kindOf(finding),
    kindName: KIND_NAMES[kindOf(finding)],
    rank: gravity(finding),
    message: clip(finding.message, MESSAGE),
    expected: clip(finding.expected, FACT),
    received: clip(finding.received, FACT),
    commands: commandsOf(finding),
    note: curlNote(finding),
  };
}

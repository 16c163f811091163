import type { RuntimeMessage } from 'allure-js-commons/sdk';
import type { TestRecord } from '../../../spec/index.ts';
import { isFailing } from '../../summary/verdict.ts';
import type { MergedFinding, Summary } from '../../summary/types.ts';
import { findingText } from '../../text/finding.ts';
import { clip, visible } from '../../text/visible.ts';
import type { ReportView } from '../../view.ts';
import { findingMessages, testMessages } from './messages.ts';

/** What allure-vitest's reporter reads of a Vitest task: a test of the log takes its place. */
export interface LogTask {
  readonly type: string;
  readonly name: string;
  readonly mode: string;
  readonly file: { readonly filepath: string };
  readonly suite?: LogSuite;
  readonly result: {
    readonly state: string;
    readonly startTime: number;
    readonly duration: number;
    readonly errors: readonly { readonly name: string; readonly message: string; readonly stack?: string }[];
  };
  readonly meta: { readonly allureRuntimeMessages: readonly RuntimeMessage[] };
  /** Why it was skipped; the reporter has no place for it, a listener puts it in. */
  readonly skipReason?: string;
}

export interface LogSuite {
  readonly name: string;
  readonly suite?: LogSuite;
}

type Outcome = Pick<LogTask['result'], 'state' | 'errors'> & { readonly skipReason?: string };

/** Every test and threshold of the run as a task; the evidence of tests that passed within `room` characters altogether. */
export function* tasksOf(view: ReportView, room: number): Generator<LogTask> {
  const findings = new Map(view.summary.findings.map((finding) => [finding.fingerprint, finding]));
  const sections = new Map(view.summary.operations.map((operation) => [operation.id, operation.section]));
  let left = room;
  for (const test of view.tests) {
    const hit = test.findings.flatMap((finding) => findings.get(finding.fingerprint) ?? []);
    const evidence = left > 0 ? (test.exchanges ?? []) : [];
    left -= JSON.stringify(evidence).length;
    const messages = [
      ...testMessages(test, view.summary, hit, sections.get(test.operation ?? '')),
      ...findingMessages(test, hit, evidence),
    ];
    yield taskOf(test, messages, outcomeOf(test, hit, view.summary));
  }
  yield* thresholdTasks(view.summary);
}

function taskOf(test: TestRecord, messages: readonly RuntimeMessage[], outcome: Outcome): LogTask {
  const { skipReason, ...result } = outcome;
  const groups = test.name.split(' > ').map(visible);
  const name = groups.pop() ?? test.name;
  const suite = groups.reduce<LogSuite | undefined>(
    (parent, group) => ({ name: group, ...(parent === undefined ? {} : { suite: parent }) }),
    undefined,
  );
  return {
    type: 'test',
    name: clip(name, 400),
    mode: result.state === 'skip' ? 'skip' : 'run',
    file: { filepath: `${test.suite}.suite` },
    ...(suite === undefined ? {} : { suite }),
    ...(skipReason === undefined ? {} : { skipReason }),
    result: { ...result, startTime: Date.parse(test.startedAt), duration: test.durationMs },
    meta: { allureRuntimeMessages: messages },
  };
}

function outcomeOf(test: TestRecord, hit: readonly MergedFinding[], summary: Summary): Outcome {
  const failing = hit.filter((finding) => isFailing(finding, summary.strict));
  const known = hit.find((finding) => finding.known);
  if (failing.length > 0) {
    return {
      state: 'fail',
      errors: failing.map((finding) => ({
        name: 'AssertionError',
        message: clip(visible(finding.message), 2000),
        stack: visible(clip(findingText(finding), 10_000)),
      })),
    };
  }
  if (known !== undefined)
    return {
      state: 'skip',
      errors: [],
      skipReason: visible(`known: ${clip(known.message, 2000)} (${known.baselineReason ?? ''})`),
    };
  if (test.verdict === 'skipped') return { state: 'skip', errors: [], skipReason: visible(test.reason ?? '') };
  if (test.verdict === 'error' || (test.verdict === 'failed' && hit.length === 0))
    return { state: 'fail', errors: [{ name: 'Error', message: visible(test.reason ?? 'no finding') }] };
  return { state: 'pass', errors: [] };
}

function* thresholdTasks(summary: Summary): Generator<LogTask> {
  for (const scenario of summary.scenarios ?? []) {
    for (const { expression, value, held } of scenario.thresholds) {
      const fails = !held && summary.command !== 'capacity';
      yield {
        type: 'test',
        name: expression,
        mode: 'run',
        file: { filepath: `load/${scenario.name}.suite` },
        suite: { name: scenario.name },
        result: {
          state: fails ? 'fail' : 'pass',
          startTime: Date.parse(summary.startedAt),
          duration: summary.durationMs,
          errors: fails ? [{ name: 'AssertionError', message: `${expression}: measured ${value}` }] : [],
        },
        meta: {
          allureRuntimeMessages: [
            {
              type: 'metadata',
              data: {
                labels: [
                  { name: 'epic', value: summary.spec.title },
                  { name: 'feature', value: 'Load' },
                  { name: 'story', value: scenario.name },
                ],
              },
            },
          ],
        },
      };
    }
  }
}

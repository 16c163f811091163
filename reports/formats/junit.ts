import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestRecord } from '../../spec/index.ts';
import { groupBy } from '../group.ts';
import { isFailing } from '../summary/verdict.ts';
import type { MergedFinding, Summary } from '../summary/types.ts';
import { findingText } from '../text/finding.ts';
import { clip } from '../text/visible.ts';
import { xmlAttributes, xmlText } from '../text/xml.ts';
import type { ReportView } from '../view.ts';
import type { Format } from './format.ts';

const LIMIT = 20_000;

interface Case {
  readonly suite: string;
  readonly name: string;
  readonly seconds: number;
  readonly startedAt?: string;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly message?: string;
  readonly text?: string;
}

/** JUnit XML as CI servers read it: only what fails the run is a failure; a known finding is skipped, a warning is output. */
export const junit: Format = {
  describe: 'junit.xml, for CI servers',
  async write(view, out) {
    const path = join(out, 'junit.xml');
    await writeFile(path, junitXml(view));
    return [path];
  },
};

/** The document that {@link junit} writes. */
export function junitXml(view: ReportView): string {
  const cases = [...testCases(view), ...thresholdCases(view.summary), ...errorCases(view.summary)];
  const suites = groupBy(cases, (entry) => entry.suite);
  const body = [...suites].map(([name, members]) => suiteXml(name, members)).join('');
  const head = xmlAttributes({
    name: `assay ${view.summary.command}`,
    ...counts(cases),
    time: (view.summary.durationMs / 1000).toFixed(3),
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${body}</testsuites>\n`;
}

function counts(cases: readonly Case[]): Record<string, number> {
  const amount = (outcome: Case['outcome']): number => cases.filter((entry) => entry.outcome === outcome).length;
  return { tests: cases.length, failures: amount('failure'), errors: amount('error'), skipped: amount('skipped') };
}

function suiteXml(name: string, cases: readonly Case[]): string {
  const time = cases.reduce((sum, entry) => sum + entry.seconds, 0);
  const head = xmlAttributes({
    name,
    ...counts(cases),
    time: time.toFixed(3),
    timestamp: cases[0]?.startedAt?.replace(/\.\d+Z$/, ''),
  });
  return `  <testsuite${head}>\n${cases.map(caseXml).join('')}  </testsuite>\n`;
}

function caseXml(entry: Case): string {
  const head = `    <testcase${xmlAttributes({ classname: entry.suite.replaceAll('/', '.'), name: entry.name, time: entry.seconds.toFixed(3) })}`;
  const text = xmlText(clip(entry.text ?? '', LIMIT));
  if (entry.outcome === 'passed')
    return text === '' ? `${head}/>\n` : `${head}>\n      <system-out>${text}</system-out>\n    </testcase>\n`;
  const attributes = xmlAttributes({
    message: clip(entry.message ?? '', 500),
    ...(entry.outcome === 'skipped' ? {} : { type: entry.outcome }),
  });
  const inner =
    entry.outcome === 'skipped'
      ? `<skipped${attributes}/>`
      : `<${entry.outcome}${attributes}>${text}</${entry.outcome}>`;
  return `${head}>\n      ${inner}\n    </testcase>\n`;
}

function testCases(view: ReportView): Case[] {
  const findings = new Map(view.summary.findings.map((finding) => [finding.fingerprint, finding]));
  return view.tests.map((test) => {
    const hit = test.findings.flatMap((finding) => findings.get(finding.fingerprint) ?? []);
    const prefix = `${test.suite} > `;
    const name = test.name.startsWith(prefix) ? test.name.slice(prefix.length) : test.name;
    return {
      suite: test.suite,
      name,
      seconds: test.durationMs / 1000,
      startedAt: test.startedAt,
      ...outcomeOf(test, hit, view.summary.strict),
    };
  });
}

function outcomeOf(
  test: TestRecord,
  hit: readonly MergedFinding[],
  strict: boolean,
): Pick<Case, 'outcome' | 'message' | 'text'> {
  const failing = hit.filter((finding) => isFailing(finding, strict));
  const [first] = failing;
  const text = hit.map(findingText).join('\n\n');
  if (first !== undefined)
    return {
      outcome: 'failure',
      message: failing.length > 1 ? `${first.message} (and ${failing.length - 1} more)` : first.message,
      text,
    };
  const [known] = hit.filter((finding) => finding.known);
  if (known !== undefined)
    return { outcome: 'skipped', message: `known: ${known.message} (${known.baselineReason ?? ''})` };
  if (test.verdict === 'skipped') return { outcome: 'skipped', message: test.reason ?? '' };
  if (test.verdict === 'error' || (test.verdict === 'failed' && hit.length === 0))
    return { outcome: 'error', message: test.reason ?? 'no finding', text: test.reason ?? '' };
  return { outcome: 'passed', text };
}

function thresholdCases(summary: Summary): Case[] {
  return (summary.scenarios ?? []).flatMap((scenario) =>
    scenario.thresholds.map((threshold): Case => {
      const told = `${threshold.expression}: measured ${threshold.value}`;
      return {
        suite: `load/${scenario.name}`,
        name: threshold.expression,
        seconds: 0,
        text: told,
        message: told,
        outcome: threshold.held || summary.command === 'capacity' ? 'passed' : 'failure',
      };
    }),
  );
}

function errorCases(summary: Summary): Case[] {
  const errors = summary.errors
    .filter((error) => error.test === undefined)
    .map((error): Case => ({
      suite: 'assay/run',
      name: 'the run itself',
      seconds: 0,
      outcome: 'error',
      message: error.message,
      text: [error.message, error.hint ?? ''].join('\n'),
    }));
  const interrupted: Case = {
    suite: 'assay/run',
    name: 'the run reaches its end',
    seconds: 0,
    outcome: 'error',
    message: 'The run was interrupted.',
  };
  return summary.verdict === 'interrupted' ? [...errors, interrupted] : errors;
}

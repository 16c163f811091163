import { unicodeEscapes } from '../../spec/escape.ts';
import { groupBy } from '../../spec/group-by.ts';
import { groupsOf } from '../summary/groups.ts';
import { outcomesOf, thresholdOutcomes } from '../summary/test-outcome.ts';
import type { Summary } from '../summary/types.ts';
import { findingText } from '../text/finding.ts';
import { clip } from '../text/visible.ts';
import { nameWithinSuite } from '../view.ts';
import type { ReportView } from '../view.ts';

const LIMIT = 20_000;

interface Case {
  readonly suite: string;
  readonly name: string;
  readonly seconds: number;
  readonly startedAt?: string;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly text: string;
}

/** JUnit XML: only what fails the run is a failure; a known finding is skipped, a warning is output. */
export function junitXml(view: ReportView): string {
  const { summary } = view;
  const cases = [...testCases(view), ...thresholdCases(summary), ...runCases(summary)];
  const suites = [...groupBy(cases, (entry) => entry.suite)].map(([name, members]) => suiteXml(name, members));
  const time = (summary.durationMs / 1000).toFixed(3);
  const head = attributes({ name: `assay ${summary.command}`, ...counts(cases), time });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('')}</testsuites>\n`;
}

function counts(cases: readonly Case[]): Record<string, number> {
  const amount = (outcome: Case['outcome']): number => cases.filter((entry) => entry.outcome === outcome).length;
  return { tests: cases.length, failures: amount('failure'), errors: amount('error'), skipped: amount('skipped') };
}

function suiteXml(name: string, cases: readonly Case[]): string {
  const time = cases.reduce((sum, entry) => sum + entry.seconds, 0).toFixed(3);
  const timestamp = cases[0]?.startedAt?.replace(/\.\d+Z$/, '');
  const head = attributes({ name, ...counts(cases), time, timestamp });
  return `  <testsuite${head}>\n${cases.map(caseXml).join('')}  </testsuite>\n`;
}

function caseXml({ suite, name, seconds, outcome, message, text }: Case): string {
  const head = attributes({ classname: suite.replaceAll('/', '.'), name, time: seconds.toFixed(3) });
  const body = escaped(clip(text, LIMIT));
  if (outcome === 'passed' && body === '') return `    <testcase${head}/>\n`;
  const why = clip(message, 500);
  const inner = {
    passed: `<system-out>${body}</system-out>`,
    skipped: `<skipped${attributes({ message: why })}/>`,
    failure: `<failure${attributes({ message: why, type: outcome })}>${body}</failure>`,
    error: `<error${attributes({ message: why, type: outcome })}>${body}</error>`,
  };
  return `    <testcase${head}>\n      ${inner[outcome]}\n    </testcase>\n`;
}

function testCases({ summary, tests }: ReportView): Case[] {
  const outcomeOf = outcomesOf(summary);
  const leads = new Map(
    groupsOf(summary).flatMap(({ lead, same, related }) =>
      [lead, ...same, ...related].map(({ fingerprint }) => [fingerprint, lead] as const),
    ),
  );
  const outcomes = tests.map((test) => {
    const outcome = outcomeOf(test);
    return { test, outcome, lead: leads.get(outcome.failing[0]?.fingerprint ?? '') };
  });
  const failed = outcomes.filter(({ lead }) => lead !== undefined);
  return outcomes.map(({ test, outcome: { status, findings, failing, reason }, lead }) => {
    const more = failing.length > 1 ? ` (and ${failing.length - 1} more)` : '';
    const [first] = failing;
    const related = lead === undefined || lead === first ? '' : `; probably the same cause: ${lead.message}`;
    const alike = lead === undefined ? 0 : failed.filter((other) => other.lead === lead).length;
    const note = `${alike} of the ${failed.length} failures in this file probably have the same root cause.`;
    return {
      suite: test.suite,
      name: nameWithinSuite(test),
      seconds: test.durationMs / 1000,
      startedAt: test.startedAt,
      outcome: status === 'failed' ? 'failure' : status,
      message: first === undefined ? reason : `${first.message}${more}${related}`,
      text: status === 'error' ? reason : [...(alike > 1 ? [note] : []), ...findings.map(findingText)].join('\n\n'),
    };
  });
}

function thresholdCases(summary: Summary): Case[] {
  return thresholdOutcomes(summary).map(({ scenario, expression, passed, message }) => ({
    suite: `load/${scenario}`,
    name: expression,
    seconds: 0,
    outcome: passed ? 'passed' : 'failure',
    message,
    text: message,
  }));
}

/** Errors of the run itself, and why it has no verdict. */
function runCases({ errors, verdict, reason }: Summary): Case[] {
  const ofRun = errors.filter((error) => error.test === undefined);
  return [
    ...ofRun.map(({ message, hint = '' }) => runError('the run itself', message, `${message}\n${hint}`)),
    ...(verdict === 'interrupted' ? [runError('the run completes', 'The run was interrupted.')] : []),
    ...(verdict === 'inconclusive' ? [runError('the run is conclusive', `Inconclusive: ${reason ?? ''}.`)] : []),
  ];
}

function runError(name: string, message: string, text = ''): Case {
  return { suite: 'assay/run', name, seconds: 0, outcome: 'error', message, text };
}

/** Characters that XML 1.0 does not allow. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Escapes element content, including `]]>`. */
function escaped(text: string): string {
  return text
    .replace(ILLEGAL, unicodeEscapes)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Attributes; those with the value undefined are left out. */
function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = escaped(String(value)).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
      return ` ${name}="${text}"`;
    })
    .join('');
}

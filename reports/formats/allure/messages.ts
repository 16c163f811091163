import { createHash } from 'node:crypto';
import type { RuntimeMessage } from 'allure-js-commons/sdk';
import type { ShownExchange, TestRecord } from '../../../spec/index.ts';
import type { MergedFinding, Summary } from '../../summary/types.ts';
import { findingText } from '../../text/finding.ts';
import { visible } from '../../text/visible.ts';
import { attachment, exchangeStep } from './exchange.ts';

/** Labels, links and parameters: epic, feature and story are the document, its section and the operation. */
export function testMessages(
  test: TestRecord,
  summary: Summary,
  hit: readonly MergedFinding[],
  section: string | undefined,
): RuntimeMessage[] {
  const known = new Map(summary.requirements.map((requirement) => [requirement.id, requirement]));
  const feature = section ?? known.get(test.requirements[0] ?? '')?.section ?? test.suite;
  const labels = [
    ['epic', summary.spec.title],
    ['feature', feature === '' ? test.suite : feature],
    ['story', test.operation ?? test.suite],
    ['severity', severityOf(test, hit, known)],
    ...test.checks.map((check) => ['tag', check] as const),
    ...(test.form === undefined ? [] : [['tag', test.form] as const]),
  ] as const;
  const parameters = [
    ...(test.form === undefined ? [] : [{ name: 'form', value: test.form }]),
    ...(test.cases === 0 ? [] : [{ name: 'cases', value: String(test.cases), excluded: true }]),
  ];
  return [
    {
      type: 'metadata',
      data: {
        labels: labels.map(([name, value]) => ({ name, value: visible(value) })),
        links: test.requirements.map((id) => ({ type: 'tms', name: id, url: requirementLink(summary, id) })),
        parameters,
        ...identity(test.name),
        ...descriptionOf(test, hit),
      },
    },
  ];
}

/** The steps of the findings, or a sample of what was exchanged where the promise was kept. */
export function findingMessages(
  test: TestRecord,
  hit: readonly MergedFinding[],
  evidence: readonly ShownExchange[],
): RuntimeMessage[] {
  const start = Date.parse(test.startedAt);
  const own = new Set(hit.map((finding) => finding.fingerprint));
  const findings = test.findings.filter((finding) => own.has(finding.fingerprint));
  if (findings.length === 0) return evidence.flatMap((exchange) => exchangeStep(exchange, start, false));
  return [
    ...findings.flatMap((finding) =>
      finding.steps.flatMap((exchange, index) => exchangeStep(exchange, start, index === finding.steps.length - 1)),
    ),
    ...findings.flatMap((finding) =>
      finding.replay === undefined ? [] : [attachment('replay', finding.replay, 'text/plain', '.txt')],
    ),
  ];
}

/** The same from run to run, wherever it runs: Allure joins a test's history by it. */
function identity(name: string): { readonly testCaseId: string; readonly historyId: string } {
  const id = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return { testCaseId: id, historyId: id };
}

function severityOf(
  test: TestRecord,
  hit: readonly MergedFinding[],
  known: ReadonlyMap<string, { grade: string }>,
): string {
  if (hit.some((finding) => finding.severity === 'violation')) return 'critical';
  const documented = test.requirements.some((id) => known.get(id)?.grade === 'documented');
  return documented ? 'normal' : 'minor';
}

function requirementLink(summary: Summary, id: string): string {
  const { source } = summary.spec;
  return /^https?:/.test(source) ? source : `report.html#requirement-${encodeURIComponent(id)}`;
}

function descriptionOf(test: TestRecord, hit: readonly MergedFinding[]): { description?: string } {
  if (hit.length === 0) return test.reason === undefined ? {} : { description: fenced(test.reason) };
  return { description: hit.map((finding) => fenced(findingText(finding))).join('\n\n') };
}

/** As code, so that nothing of it is read as Markdown or HTML. */
function fenced(text: string): string {
  return visible(text)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

import { createHash } from 'node:crypto';
import {
  attachment,
  description,
  displayName,
  historyId,
  labels,
  links,
  parameter,
  testCaseId,
} from 'allure-js-commons';
import type { Finding, TestRecord } from '../../../spec/index.ts';
import { clip, visible } from '../../text/visible.ts';
import { exchangeStep } from './exchange.ts';

/** What the description of a test needs to know of the run. Serialisable: it crosses into Vitest's worker. */
export interface AllureContext {
  readonly title: string;
  /** Where the description is, a file or URL. */
  readonly source: string;
  /** Section of the document by operation. */
  readonly sections: Readonly<Record<string, string>>;
  readonly requirements: Readonly<Record<string, { readonly grade: string; readonly section: string }>>;
}

export type DescribedTest = Omit<TestRecord, 'type' | 'startedAt'> & { readonly startedAt?: string };

/** Describes the current test through Allure's facade: the same in a running suite as for a log. */
export async function describeTest(test: DescribedTest, context: AllureContext): Promise<void> {
  const groups = test.name.split(' > ').map(visible);
  const id = identityOf(test.name);
  await displayName(clip(groups.at(-1) ?? test.name, 400));
  await testCaseId(id);
  await historyId(id);
  await labels(...labelsOf(test, context, groups));
  await links(...test.requirements.map((name) => ({ type: 'tms', name, url: requirementLink(context, name) })));
  if (test.form !== undefined) await parameter('form', test.form);
  if (test.cases > 0) await parameter('cases', String(test.cases), { excluded: true });
  await describeFindings(test);
}

/** The same from run to run, wherever it runs: Allure joins a test's history by it. */
export function identityOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}

/** Epic: the document, feature: its section, story: the operation; suites: the groups of the test's name. */
function labelsOf(
  test: DescribedTest,
  context: AllureContext,
  groups: readonly string[],
): { name: string; value: string }[] {
  const section = context.sections[test.operation ?? ''] ?? context.requirements[test.requirements[0] ?? '']?.section;
  const [parentSuite, suite, ...subSuites] = groups.slice(0, -1);
  const all: readonly (readonly [string, string | undefined])[] = [
    ['epic', context.title],
    ['feature', section === undefined || section === '' ? test.suite : section],
    ['story', test.operation ?? test.suite],
    ['severity', severityOf(test, context)],
    ['parentSuite', parentSuite],
    ['suite', suite],
    ['subSuite', subSuites.length === 0 ? undefined : subSuites.join(' > ')],
    ...test.checks.map((check) => ['tag', check] as const),
    ['tag', test.form],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: visible(value) }]));
}

function severityOf({ findings, requirements }: DescribedTest, context: AllureContext): string {
  if (findings.some((finding) => finding.severity === 'violation')) return 'critical';
  return requirements.some((id) => context.requirements[id]?.grade === 'documented') ? 'normal' : 'minor';
}

function requirementLink({ source }: AllureContext, id: string): string {
  return /^https?:/.test(source) ? source : `report.html#requirement-${encodeURIComponent(id)}`;
}

async function describeFindings({ findings, reason, startedAt }: DescribedTest): Promise<void> {
  const texts = findings.length > 0 ? findings.map(factsOf) : reason === undefined ? [] : [reason];
  if (texts.length > 0) await description(texts.map(indented).join('\n\n'));
  const start = startedAt === undefined ? Date.now() : Date.parse(startedAt);
  for (const { steps, replay } of findings) {
    for (const [index, exchange] of steps.entries()) await exchangeStep(exchange, start, index === steps.length - 1);
    if (replay !== undefined) await attachment('replay', replay, 'text/plain');
  }
}

function factsOf({ severity, message, requirement, source, expected, received }: Finding): string {
  return [
    `${severity}: ${message}`,
    `  violates  ${requirement}, ${source}`,
    `  expected  ${expected}`,
    `  received  ${received}`,
  ].join('\n');
}

/** As a code block, so that nothing of it is read as Markdown or HTML. */
function indented(text: string): string {
  return visible(clip(text, 20_000))
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

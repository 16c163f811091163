import { writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { groupBy } from '../../spec/group-by.ts';
import { groupsOf } from '../summary/groups.ts';
import type { MergedFinding, Summary } from '../summary/types.ts';
import { findingText } from '../text/finding.ts';
import { clip } from '../text/visible.ts';
import type { WriteFormat } from './index.ts';
import { locate } from './location.ts';
import type { Location } from './location.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Findings as SARIF 2.1.0, each pointing into the description file. */
export const writeSarif: WriteFormat = async ({ summary }, out) => {
  const path = join(out, 'findings.sarif');
  await writeFile(path, `${JSON.stringify(sarifOf(summary), null, 2)}\n`);
  return [path];
};

/** The document that {@link writeSarif} writes. */
export function sarifOf(summary: Summary): object {
  const { version, startedAt, verdict, errors, findings } = summary;
  const place = locate(summary.spec.source);
  const rules = [...groupBy(findings, (finding) => finding.check)];
  const index = new Map(rules.map(([check], position) => [check, position]));
  const leads = leadsOf(summary);
  const driver = {
    name: 'assay',
    semanticVersion: version,
    rules: rules.map(([check, members]) => rule(check, members, summary)),
  };
  const notifications = errors.map(({ message }) => ({ level: 'error', message: { text: clip(message, 2000) } }));
  const run = {
    tool: { driver },
    invocations: [
      {
        executionSuccessful: verdict === 'passed' || verdict === 'failed',
        startTimeUtc: startedAt,
        toolExecutionNotifications: notifications,
      },
    ],
    results: findings.map((finding) => ({
      ...result(finding, place(finding.schemaPointer), summary.spec.source),
      ruleIndex: index.get(finding.check) ?? 0,
      properties: { ...propertiesOf(finding), rootCause: leads.get(finding.fingerprint) },
    })),
    columnKind: 'utf16CodeUnits',
  };
  return { $schema: SCHEMA, version: '2.1.0', runs: [run] };
}

/** For each finding, the fingerprint of the one to read first. */
function leadsOf(summary: Summary): ReadonlyMap<string, string> {
  return new Map(
    groupsOf(summary).flatMap(({ lead, same, related }) =>
      [lead, ...same, ...related].map(({ fingerprint }) => [fingerprint, lead.fingerprint] as const),
    ),
  );
}

function rule(check: string, findings: readonly MergedFinding[], summary: Summary): object {
  const ids = [...new Set(findings.map((finding) => finding.requirement))];
  const texts = ids.map((id) => summary.requirements.find((requirement) => requirement.id === id)?.text ?? id);
  return {
    id: check,
    name: check,
    shortDescription: { text: check },
    fullDescription: { text: clip(texts.join(' '), 1000) },
    properties: { requirements: ids },
  };
}

function result(finding: MergedFinding, location: Location | undefined, source: string): object {
  const { fingerprint, check, operation, form, known, standing, baselineReason } = finding;
  return {
    ruleId: check,
    level: finding.fails ? 'error' : 'warning',
    message: { text: clip(findingText(finding), 8000) },
    partialFingerprints: { 'assay/v1': fingerprint },
    baselineState: standing === 'new' ? 'new' : 'unchanged',
    ...(known ? { suppressions: [{ kind: 'external', justification: baselineReason ?? '' }] } : {}),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(location?.file ?? source) },
          region: { startLine: location?.line ?? 1, startColumn: location?.column ?? 1 },
        },
        logicalLocations: [{ fullyQualifiedName: `${operation} ${form}`.trim(), kind: 'member' }],
      },
    ],
  };
}

function propertiesOf({ requirement, grade, operation, forms, curl, replay }: MergedFinding): object {
  return { requirement, grade, operation, forms, curl, replay };
}

function uriOf(file: string): string {
  if (/^[a-z]+:\/\//i.test(file)) return file;
  return isAbsolute(file)
    ? pathToFileURL(file).href
    : file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}

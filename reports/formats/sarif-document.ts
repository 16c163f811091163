import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MergedFinding, Summary } from '../summary/types.ts';
import { isFailing } from '../summary/verdict.ts';
import { groupBy } from '../group.ts';
import { findingText } from '../text/finding.ts';
import { clip } from '../text/visible.ts';
import { locate } from './location.ts';
import type { Location } from './location.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** The document that the `sarif` format writes. */
export function sarifOf(summary: Summary): object {
  const place = locate(summary.spec.source);
  const rules = [...groupBy(summary.findings, (finding) => finding.check)];
  const index = new Map(rules.map(([check], position) => [check, position]));
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'assay',
            semanticVersion: summary.version,
            rules: rules.map(([check, findings]) => rule(check, findings, summary)),
          },
        },
        invocations: [
          {
            executionSuccessful: summary.verdict !== 'error' && summary.verdict !== 'interrupted',
            startTimeUtc: summary.startedAt,
            toolExecutionNotifications: summary.errors.map((error) => ({
              level: 'error',
              message: { text: clip(error.message, 2000) },
            })),
          },
        ],
        results: summary.findings.map((finding) =>
          result(
            finding,
            index.get(finding.check) ?? 0,
            summary.strict,
            place(finding.schemaPointer),
            summary.spec.source,
          ),
        ),
        columnKind: 'utf16CodeUnits',
      },
    ],
  };
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

function result(
  finding: MergedFinding,
  ruleIndex: number,
  strict: boolean,
  location: Location | undefined,
  source: string,
): object {
  const { fingerprint, check, operation, form, known, baselineReason } = finding;
  return {
    ruleId: check,
    ruleIndex,
    level: isFailing(finding, strict) ? 'error' : 'warning',
    message: { text: clip(findingText(finding), 8000) },
    partialFingerprints: { 'assay/v1': fingerprint },
    baselineState: finding.standing === 'new' ? 'new' : 'unchanged',
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
    properties: {
      requirement: finding.requirement,
      grade: finding.grade,
      operation,
      forms: finding.forms,
      curl: finding.curl,
      ...(finding.replay === undefined ? {} : { replay: finding.replay }),
    },
  };
}

function uriOf(file: string): string {
  if (/^[a-z]+:\/\//i.test(file)) return file;
  return isAbsolute(file)
    ? pathToFileURL(file).href
    : file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}

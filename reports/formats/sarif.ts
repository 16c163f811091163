import { groupBy } from '../../spec/group-by.ts';
import { groupsOf } from '../summary/groups.ts';
import type { ResolvedGroup } from '../summary/groups.ts';
import { kindOf } from '../summary/kinds.ts';
import type { MergedFinding, Summary } from '../summary/types.ts';
import { isCutOff } from '../summary/verdict.ts';
import { findingText, groupFacts } from '../text/finding.ts';
import { clip } from '../text/visible.ts';
import type { ReportView } from '../view.ts';
import { locate, locateConfiguration, repositoryRoot } from './location.ts';
import type { Location } from './location.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** The document of {@link sarifOf} as text. */
export function sarifText({ summary }: ReportView): string {
  return `${JSON.stringify(sarifOf(summary), null, 2)}\n`;
}

/** Findings as SARIF 2.1.0 by root cause, pointing into the description that the user gave, or else at the configuration file. */
export function sarifOf(summary: Summary, root = repositoryRoot()): object {
  const { version, startedAt, verdict, errors, findings, options } = summary;
  const place = locate(summary.spec.file, root);
  // Code scanning refuses results without a file.
  const elsewhere = locateConfiguration(root);
  const rules = [...groupBy(findings, (finding) => finding.check)];
  const index = new Map(rules.map(([check], position) => [check, position]));
  const driver = {
    name: 'assay',
    version,
    semanticVersion: version,
    rules: rules.map(([check, members]) => rule(check, members, summary)),
  };
  const notifications = errors.map(({ message }) => ({ level: 'error', message: { text: clip(message, 2000) } }));
  const run = {
    tool: { driver },
    invocations: [
      {
        // The action uploads no others: code scanning takes what an upload lacks as fixed.
        executionSuccessful:
          ['passed', 'failed'].includes(verdict) && !isCutOff(summary) && options['shard'] === undefined,
        startTimeUtc: startedAt,
        toolExecutionNotifications: notifications,
      },
    ],
    results: groupsOf(summary).map((group) => ({
      ...result(group, place(group.lead.schemaPointer) ?? elsewhere),
      ruleIndex: index.get(group.lead.check) ?? 0,
      properties: propertiesOf(group),
    })),
    columnKind: 'utf16CodeUnits',
  };
  return { $schema: SCHEMA, version: '2.1.0', runs: [run] };
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

/** One result for each root cause; without a place where neither the description nor a configuration is a file of the repository. */
function result(group: ResolvedGroup, location: Location | undefined): object {
  const { lead, same, related } = group;
  const { fingerprint, check, known, standing, baselineReason } = lead;
  const others = groupFacts(group).map(([label, text]) => `  ${label.padEnd(9)} ${text}`);
  return {
    ruleId: check,
    level: lead.fails ? 'error' : 'warning',
    message: { text: clip([findingText(lead), ...others].join('\n'), 8000) },
    partialFingerprints: { 'assay/v1': fingerprint },
    baselineState: standing === 'new' ? 'new' : 'unchanged',
    ...(known ? { suppressions: [{ kind: 'external', justification: baselineReason ?? '' }] } : {}),
    locations: [{ ...physical(location), logicalLocations: [logical(lead)] }],
    relatedLocations: [...same, ...related].map((finding, id) => ({
      id,
      message: { text: clip(finding.message, 1000) },
      logicalLocations: [logical(finding)],
    })),
  };
}

function physical(location: Location | undefined): object {
  if (location === undefined) return {};
  const { file, line, column } = location;
  const uri = file.split('/').map(encodeURIComponent).join('/');
  const artifactLocation = { uri, uriBaseId: '%SRCROOT%' };
  return { physicalLocation: { artifactLocation, region: { startLine: line, startColumn: column } } };
}

function logical({ operation, form }: MergedFinding): object {
  return { fullyQualifiedName: `${operation} ${form}`.trim(), kind: 'member' };
}

function propertiesOf({ lead, same, related }: ResolvedGroup): object {
  const { requirement, grade, operation, forms, curl, replay } = lead;
  const findings = [lead, ...same, ...related].map((finding) => finding.fingerprint);
  return { requirement, grade, operation, forms, curl, replay, kind: kindOf(lead), findings };
}

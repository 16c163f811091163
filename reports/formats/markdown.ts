import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { groupBy } from '../group.ts';
import type { MergedFinding, Summary } from '../summary/types.ts';
import { isFailing } from '../summary/verdict.ts';
import { count, latency, thousands } from '../text/numbers.ts';
import { headline } from '../text/headline.ts';
import { code, inline } from '../text/markdown.ts';
import { clip } from '../text/visible.ts';
import type { Format } from './format.ts';

const FINDINGS = 50;
/** What GitHub takes as a job summary is a megabyte; half of it is left to others. */
const LIMIT = 500_000;
const MARK = { kept: '✅', broken: '❌', error: '⚠️', interrupted: '⏸️' } as const satisfies Record<
  Summary['verdict'],
  string
>;

/** The run as Markdown, for a pull request or a job's page. */
export const markdown: Format = {
  describe: 'summary.md, for a pull request',
  async write(view, out) {
    const path = join(out, 'summary.md');
    await writeFile(path, markdownOf(view.summary));
    return [path];
  },
};

/** Appends the Markdown to the job's page where GitHub Actions runs. */
export async function appendJobSummary(
  summary: Summary,
  path = process.env['GITHUB_STEP_SUMMARY'],
): Promise<string | undefined> {
  if (path === undefined || path === '') return undefined;
  await appendFile(path, markdownOf(summary));
  return path;
}

export function markdownOf(summary: Summary): string {
  const { sentence, details } = headline(summary);
  const parts = [
    `## ${MARK[summary.verdict]} ${inline(sentence)}`,
    [`\`assay ${summary.command}\` on ${code(summary.target.baseUrl)}`, ...details.map(inline)].join('  \n'),
    ...(summary.errors.length === 0
      ? []
      : [
          `### Errors\n\n${summary.errors
            .slice(0, 10)
            .map(
              (error) =>
                `- ${inline(clip(error.message, 500))}${error.hint === undefined ? '' : ` _${inline(error.hint)}_`}`,
            )
            .join('\n')}`,
        ]),
    ...findingParts(summary),
    ...loadParts(summary),
    ...coverageParts(summary),
  ];
  const text = `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}\n\n… cut\n` : text;
}

function findingParts(summary: Summary): string[] {
  if (summary.findings.length === 0) return [];
  const rest = summary.findings.length - FINDINGS;
  return [
    `### Findings\n\n${summary.findings
      .slice(0, FINDINGS)
      .map((finding) => findingPart(finding, summary.strict))
      .join('\n')}${rest > 0 ? `\n\n… and ${count(rest, 'more finding')}` : ''}`,
  ];
}

function findingPart(finding: MergedFinding, strict: boolean): string {
  const mark = isFailing(finding, strict) ? '❌' : finding.known ? '📌' : '⚠️';
  const rows = (
    [
      ['Expected', finding.expected],
      ['Received', finding.received],
      ['Promise', `${finding.requirement}, ${finding.source}`],
      ['Known', finding.known ? (finding.baselineReason ?? '') : ''],
    ] as const
  )
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `**${name}:** ${inline(clip(text, 1000))}`);
  const blocks = [finding.curl, finding.replay ?? ''].filter((text) => text !== '').map((text) => fence(text));
  return `<details><summary>${mark} ${inline(clip(finding.message, 300))} <code>${inline(finding.operation)}</code> ${inline(finding.form)}</summary>\n\n${rows.join('  \n')}\n\n${blocks.join('\n\n')}\n</details>`;
}

function coverageParts(summary: Summary): string[] {
  if (summary.requirements.length === 0) return [];
  const verdicts = groupBy(summary.requirements, (requirement) => requirement.verdict);
  const amount = (verdict: 'kept' | 'broken' | 'untried'): number => verdicts.get(verdict)?.length ?? 0;
  const reasons = [...groupBy(verdicts.get('untried') ?? [], (requirement) => requirement.reason ?? '')];
  const table = reasons.map(([reason, members]) => `| ${members.length} | ${inline(clip(reason, 200))} |`);
  const untried =
    table.length === 0
      ? ''
      : `\n\n<details><summary>Untried, by reason</summary>\n\n| | |\n|--:|---|\n${table.join('\n')}\n</details>`;
  return [
    `### Requirements\n\n${amount('kept')} kept, ${amount('broken')} broken, ${amount('untried')} untried.${untried}`,
  ];
}

function loadParts(summary: Summary): string[] {
  const rows = (summary.scenarios ?? []).map(({ name, offeredRate, rate, latencyMs, thresholds }) => {
    const judged = thresholds
      .map((threshold) => `${threshold.held ? '✅' : '❌'} ${inline(threshold.expression)}`)
      .join('<br>');
    return `| ${inline(name)} | ${offeredRate > 0 ? thousands(offeredRate) : '–'} | ${thousands(rate)} | ${latency(latencyMs.p50)} | ${latency(latencyMs.p99)} | ${latency(latencyMs.max)} | ${judged} |`;
  });
  const capacity =
    summary.capacity === undefined
      ? []
      : [
          `**Capacity:** ${thousands(summary.capacity.rate)} requests/s (${thousands(summary.capacity.low)} to ${thousands(summary.capacity.high)}), limited by ${inline(summary.capacity.limitedBy)}`,
        ];
  return rows.length === 0
    ? capacity
    : [
        ...capacity,
        `| Scenario | offered/s | done/s | p50 | p99 | max | thresholds |\n|---|--:|--:|--:|--:|--:|---|\n${rows.join('\n')}`,
      ];
}

function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}sh\n${clip(text, 4000)}\n${marks}`;
}

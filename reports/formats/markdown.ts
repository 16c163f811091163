import { groupBy } from '../../spec/group-by.ts';
import { groupsOf } from '../summary/groups.ts';
import type { ResolvedGroup } from '../summary/groups.ts';
import { searchesOf } from '../summary/types.ts';
import type { Search, Summary } from '../summary/types.ts';
import { intervalText, limitText, sustained } from '../text/capacity.ts';
import { effectTotals, groupLeft, lastingText } from '../text/effects.ts';
import { errorGroups, errorText } from '../text/errors.ts';
import { commandsOf, curlNote, groupFacts } from '../text/finding.ts';
import { headline, violatedText } from '../text/headline.ts';
import type { ReplayOf } from '../text/replay.ts';
import { rateTexts, thresholdState, violationTexts } from '../text/load.ts';
import { amountOf, count, responseLatency } from '../text/numbers.ts';
import { clip, visibleLine } from '../text/visible.ts';
import type { ReportView } from '../view.ts';

const FINDINGS = 50;
/** GitHub takes a megabyte as a job summary; half of it is left to other steps. */
const LIMIT = 500_000;
const MARK = {
  passed: '✅',
  failed: '❌',
  inconclusive: '❔',
  error: '⚠️',
  interrupted: '⏸️',
} as const satisfies Record<Summary['verdict'], string>;

/** The run as Markdown, for a pull request or a job's page. */
export function markdownOf({ summary, replayOf }: Pick<ReportView, 'summary' | 'replayOf'>): string {
  const { sentence, details } = headline(summary);
  const { command, target } = summary;
  const where = `${code(target.baseUrl)}${target.embedded ? ' (embedded service)' : ''}`;
  const parts = [
    `## ${MARK[summary.verdict]} ${inline(sentence)}`,
    [`\`assay ${command}\` on ${where}`, ...details.map(inline)].join('  \n'),
    errorsPart(summary),
    findingsPart(summary, replayOf),
    ...loadParts(summary),
    coveragePart(summary),
    effectsPart(summary),
  ];
  const text = `${parts.filter((part) => part !== '').join('\n\n')}\n`;
  return clip(text, LIMIT);
}

function errorsPart({ errors }: Summary): string {
  if (errors.length === 0) return '';
  const lines = errorGroups(errors)
    .slice(0, 10)
    .map((error) => {
      const advice = error.hint === undefined ? '' : ` _hint: ${inline(error.hint)}_`;
      return `- ${inline(clip(errorText(error), 500))}${advice}`;
    });
  return `### Errors\n\n${lines.join('\n')}`;
}

function findingsPart(summary: Summary, replayOf: ReplayOf | undefined): string {
  const groups = groupsOf(summary);
  if (groups.length === 0) return '';
  const rest = groups.length - FINDINGS;
  const more = rest > 0 ? `\n\n… and ${count(rest, 'more root cause')}` : '';
  return `### Findings\n\n${groups
    .slice(0, FINDINGS)
    .map((group) => findingPart(group, replayOf))
    .join('\n')}${more}`;
}

type Row = readonly [name: string, text: string];

/** The facts of a group of findings, one per line; empty ones are left out. */
function rows(group: ResolvedGroup, limit: number, first: readonly Row[] = [], last: readonly Row[] = []): string {
  const { lead } = group;
  const facts: readonly Row[] = [
    ...first,
    ['Expected', lead.expected],
    ['Received', lead.received],
    ['Requirement', `${lead.requirement}, ${lead.source}`],
    ['Known', lead.known ? (lead.baselineReason ?? '') : ''],
    ['Note', curlNote(lead)],
    ...groupFacts(group).map(([label, text]): Row => [
      label === 'related' ? 'Related' : 'Same on',
      text.replaceAll('\n', ' '),
    ]),
    ...last,
  ];
  return facts
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `**${name}:** ${inline(clip(text, limit))}`)
    .join('  \n');
}

function findingPart(group: ResolvedGroup, replayOf: ReplayOf | undefined): string {
  const { lead } = group;
  const mark = lead.fails ? '❌' : lead.known ? '📌' : '⚠️';
  const blocks = commandsOf(lead, replayOf).map(fence);
  const operation = lead.message.includes(lead.operation) ? [] : [code(lead.operation)];
  const place = [...operation, ...(lead.form === '' ? [] : [`in ${inline(lead.form)}`])].join(' ');
  const title = `${mark} ${inline(clip(lead.message, 300))}${place === '' ? '' : ` (${place})`}`;
  const text = rows(group, 1000);
  return `<details><summary>${title}</summary>\n\n${text}\n\n${blocks.join('\n\n')}\n</details>`;
}

/** A finding as an issue in Markdown: a title, and what a developer needs to reproduce it. */
export function issueOf(group: ResolvedGroup, summary: Summary): string {
  const { lead } = group;
  const first: Row[] = [['Where', lead.form === '' ? lead.operation : `${lead.operation} in ${lead.form}`]];
  const last: Row[] = [['Finding', `${lead.code} ${lead.fingerprint}, assay ${summary.version}, ${summary.startedAt}`]];
  const commands = commandsOf(lead).map(
    (text) => `### ${text === lead.replay ? 'Replay with Assay' : 'Reproduce'}\n\n${fence(text)}`,
  );
  return [`## ${inline(clip(lead.message, 300))}`, rows(group, 2000, first, last), ...commands, ''].join('\n\n');
}

function coveragePart(summary: Summary): string {
  const { requirements } = summary;
  if (requirements.length === 0) return '';
  const { verified = [], untested = [] } = Object.fromEntries(groupBy(requirements, ({ verdict }) => verdict));
  const reasons = [...groupBy(untested, ({ reason = '' }) => reason)]
    .map(([reason, members]) => [members.length, reason] as const)
    .toSorted(([a, one], [b, other]) => b - a || (one < other ? -1 : 1));
  const table = `\n\n<details><summary>Not tested, by reason</summary>\n\n${amountTable(reasons)}\n</details>`;
  const partly = verified.filter(({ verifiedIn, of }) => verifiedIn < of).length;
  const inPart = partly === 0 ? '' : ` (${partly} of them in some operations only)`;
  const totals = `${verified.length} verified${inPart}, ${violatedText(summary)}, ${untested.length} not tested.`;
  return `### Requirements\n\n${totals}${reasons.length === 0 ? '' : table}`;
}

function amountTable(rows: readonly (readonly [amount: number, text: string])[]): string {
  return ['| | |', '|--:|---|', ...rows.map(([amount, text]) => `| ${amount} | ${inline(clip(text, 200))} |`)].join(
    '\n',
  );
}

function effectsPart(summary: Summary): string {
  const totals = effectTotals(summary);
  const lasting = lastingText(summary);
  if (totals === undefined && lasting === undefined) return '';
  const left = groupLeft(summary.effects.left).map(
    ({ reason, items }) => [amountOf(items), `left: ${reason}`] as const,
  );
  const lines = [totals, lasting].flatMap((text) => (text === undefined ? [] : `${inline(text)}.`));
  return [`### Resources created`, lines.join('  \n'), ...(left.length === 0 ? [] : [amountTable(left)])].join('\n\n');
}

const MARKS = { met: '✅', missed: '❌', open: '–' } as const satisfies Record<
  ReturnType<typeof thresholdState>,
  string
>;

function loadParts(summary: Summary): string[] {
  const { scenarios = [] } = summary;
  const lines = scenarios.map((scenario) => {
    const { name, latencyMs, thresholds } = scenario;
    const { offered = '–', succeeded } = rateTexts(scenario);
    const judged = thresholds
      .map((each) => `${MARKS[thresholdState(scenario, each)]} ${inline(each.expression)}`)
      .join('<br>');
    const latencies = [latencyMs.p50, latencyMs.p99, latencyMs.max].map(responseLatency);
    return `| ${[inline(name), offered, succeeded, ...latencies, judged].join(' | ')} |`;
  });
  const head = '| Scenario | offered/s | succeeded/s | p50 | p99 | max | thresholds |\n|---|--:|--:|--:|--:|--:|---|';
  const violations = scenarios.flatMap((scenario) =>
    violationTexts(scenario).map(([text]) => `- ${inline(scenario.name)}: ${inline(text)}`),
  );
  return [
    ...searchesOf(summary).map(capacityPart),
    lines.length === 0 ? '' : `${head}\n${lines.join('\n')}`,
    violations.length === 0 ? '' : `Violations in sampled responses:\n\n${violations.join('\n')}`,
  ];
}

function capacityPart(search: Search): string {
  return `**Capacity of ${inline(search.scenario)}:** ${sustained(search)}${intervalText(search)}, ${inline(limitText(search))}`;
}

/** Escapes Markdown, HTML, links and mentions. */
function inline(text: string): string {
  return visibleLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]#|~$]/g, (found) => `&#${found.charCodeAt(0)};`)
    .replace(/@(?=\w)/g, '&#64;')
    .replace(/:\/\//g, '&#58;//');
}

function code(text: string): string {
  return `<code>${inline(text)}</code>`;
}

function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}sh\n${text}\n${marks}`;
}

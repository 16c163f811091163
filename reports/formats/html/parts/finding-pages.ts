import { groupsOf } from '../../../summary/groups.ts';
import type { ResolvedGroup } from '../../../summary/groups.ts';
import type { MergedFinding, RequirementSummary, Summary } from '../../../summary/types.ts';
import type { ReplayOf } from '../../../text/replay.ts';
import { replayText } from '../../../text/replay.ts';
import { issueOf } from '../../markdown.ts';
import { KIND_NAMES, kindOf } from '../../../summary/kinds.ts';
import { curlNote, curlText, findingWord } from '../../../text/finding.ts';
import { count } from '../../../text/numbers.ts';
import { clip } from '../../../text/visible.ts';
import { diff } from '../diff.ts';
import { definitions } from '../elements.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { commandBlock, others, place, RELATED, SAME, tone } from './finding-parts.ts';
import { stepList } from './steps.ts';

/** Most findings with a page of their own. */
export const PAGES = 300;
const ISSUE = 100_000;
const TESTS = 5;

/** One page per finding; shown alone when its link is followed. */
export function findingPages(summary: Summary, replayOf?: ReplayOf): Markup {
  const requirements = new Map(summary.requirements.map((requirement) => [requirement.id, requirement]));
  const pages = summary.findings.slice(0, PAGES);
  const groups = groupsOf(summary);
  return html`${pages.map((finding, index) => {
    const requirement = requirements.get(finding.requirement);
    return html`<article class="finding ${tone(finding)}" id="finding-${finding.fingerprint}" tabindex="-1">
      <nav class="pager" aria-label="Findings">
        <a href="#verdict" class="back">← Overview</a
        ><span>${index + 1} of ${pages.length}</span
        >${step(pages[index - 1], 'prev', '↑ Previous')}${step(pages[index + 1], 'next', '↓ Next')}
      </nav>
      <p class="kicker">
        <span class="kind k-${kindOf(finding)}">${KIND_NAMES[kindOf(finding)]}</span>
        ${finding.fails ? '' : html`<span class="tag ${tone(finding)}">${findingWord(finding)}</span>`} ${finding.check}
      </p>
      <h2>${clip(finding.message, 2000)}</h2>
      <p class="where">${place(finding)}</p>
      ${alsoOn(finding)}${groupOf(finding, groups)}${copyIssue(finding, groups, summary)}
      ${quote(finding, requirement)}${facing(finding)}${commands(finding, replayOf)}${stepList(finding)}${facts(finding)}
    </article>`;
  })}`;
}

/** The button that copies the finding as Markdown for an issue tracker. */
function copyIssue(finding: MergedFinding, groups: readonly ResolvedGroup[], summary: Summary): Markup {
  const group = groups.find(({ lead }) => lead === finding) ?? { lead: finding, same: [], related: [] };
  return html`<p class="actions">
    <code hidden>${clip(issueOf(group, summary), ISSUE)}</code><button type="button" data-copy>Copy as issue</button>
  </p>`;
}

function quote({ requirement: id, grade, source }: MergedFinding, requirement: RequirementSummary | undefined): Markup {
  if (requirement === undefined) return html``;
  const { text, section } = requirement;
  const place = source === '' ? section : source.replace(`: ${text}`, '');
  return html`<blockquote>
    <p>${text}</p>
    <footer><code>${id}</code> (${grade}) · ${place}</footer>
  </blockquote>`;
}

/** The other findings of the same root cause, as seen from one of them. */
function groupOf(finding: MergedFinding, groups: readonly ResolvedGroup[]): Markup {
  const group = groups.find(({ lead, same, related }) => [lead, ...same, ...related].includes(finding));
  if (group === undefined) return html``;
  if (group.lead === finding) return html`${others(SAME, group.same)}${others(RELATED, group.related)}`;
  return others(group.same.includes(finding) ? SAME : 'Probably caused by', [group.lead]);
}

function alsoOn({ operations }: MergedFinding): Markup {
  const [, ...others] = operations;
  return others.length === 0
    ? html``
    : html`<p class="where">
        And ${count(others.length, 'more operation')}:
        ${others.map((operation, index) => html`${index === 0 ? '' : ', '}<code>${operation}</code>`)}
      </p>`;
}

function step(finding: MergedFinding | undefined, rel: 'prev' | 'next', label: string): Markup {
  return finding === undefined ? html`` : html`<a href="#finding-${finding.fingerprint}" rel="${rel}">${label}</a>`;
}

function facing(finding: MergedFinding): Markup {
  const { left, right } = diff(finding.expected, finding.received);
  return html`<div class="facing">
    <div>
      <h3>Expected</h3>
      <p class="text">${left}</p>
    </div>
    <div>
      <h3>Received</h3>
      <p class="text">${right}</p>
    </div>
  </div>`;
}

function commands(finding: MergedFinding, replayOf?: ReplayOf): Markup {
  const replay = replayText(finding, replayOf);
  const note = curlNote(finding);
  return html`${commandBlock('Reproduce', curlText(finding))}${note === '' ? '' : html`<p class="hint">${note}</p>`}${commandBlock('Replay with Assay', replay)}`;
}

function facts(finding: MergedFinding): Markup {
  const { schemaPointer, source, replay, seed } = finding;
  const isInSource = schemaPointer === undefined || source.endsWith(`#${schemaPointer}`);
  const more = finding.tests.length - TESTS;
  const rows: readonly (readonly [string, string])[] = [
    ['In the body', finding.instancePointer ?? ''],
    ['In the description', isInSource ? '' : schemaPointer],
    ['Seen', `${count(finding.occurrences, 'time')} in ${count(finding.tests.length, 'test')}`],
    ['Tests', [...finding.tests.slice(0, TESTS), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')],
    ['Seed and path', seed === undefined || replay !== undefined ? '' : [seed, finding.path].join(' ')],
    ['Baseline', finding.baselineReason ?? ''],
    ['Expires', finding.expires ?? ''],
    ['Code', finding.code],
    ['Fingerprint', finding.fingerprint],
  ];
  return html`<h3>Details</h3>
    ${definitions(
      'facts',
      rows.filter(([, value]) => value !== ''),
    )}`;
}

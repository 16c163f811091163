import type { ShownExchange } from '../../../../spec/index.ts';
import { groupsOf } from '../../../summary/groups.ts';
import type { ResolvedGroup } from '../../../summary/groups.ts';
import type { MergedFinding, Summary } from '../../../summary/types.ts';
import { issueOf } from '../../markdown.ts';
import { KIND_NAMES, kindOf } from '../../../summary/kinds.ts';
import { curlNote, findingWord } from '../../../text/finding.ts';
import { count, latency } from '../../../text/numbers.ts';
import { clip } from '../../../text/visible.ts';
import { bodyMarkup } from '../body.ts';
import { diff } from '../diff.ts';
import { definitions, table } from '../elements.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { others, place, tone } from './finding-parts.ts';
import { timeline } from './timeline.ts';

const PAGES = 300;
const LINE = 400;
const COMMAND = 100_000;
const STEPS = 60;
const HEADERS = 60;

/** One page per finding; shown alone when its link is followed. */
export function findingPages(summary: Summary): Markup {
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
        <span class="tag ${tone(finding)}">${findingWord(finding)}</span> ${finding.check}
      </p>
      <h2>${clip(finding.message, 2000)}</h2>
      <p class="where">${place(finding)}</p>
      ${actions(finding, groups, summary)}
      ${alsoOn(finding)}${groupOf(finding, groups)}
      ${requirement === undefined ? '' : quote(requirement.text, finding.source === '' ? requirement.section : finding.source)}${facing(finding)}${commands(finding)}${timeline(finding.steps)}${steps(finding)}${facts(finding)}
    </article>`;
  })}`;
}

/** Buttons that copy the finding: as an issue, as a command, as the command that replays it. */
function actions(finding: MergedFinding, groups: readonly ResolvedGroup[], summary: Summary): Markup {
  const group = groups.find(({ lead }) => lead === finding) ?? { lead: finding, same: [], related: [] };
  const texts = [
    ['Copy as issue', issueOf(group, summary)],
    ['Copy curl', finding.curl],
    ['Copy replay command', finding.replay ?? ''],
  ] as const;
  return html`<div class="actions">
    ${texts
      .filter(([, text]) => text !== '')
      .map(
        ([name, text]) =>
          html`<span><code hidden>${clip(text, COMMAND)}</code><button type="button" data-copy>${name}</button></span>`,
      )}
  </div>`;
}

function quote(text: string, source: string): Markup {
  return html`<blockquote>
    <p>${text}</p>
    <footer>${source}</footer>
  </blockquote>`;
}

/** The other findings of the same root cause, as seen from one of them. */
function groupOf(finding: MergedFinding, groups: readonly ResolvedGroup[]): Markup {
  const group = groups.find(({ lead, same, related }) => [lead, ...same, ...related].includes(finding));
  if (group === undefined) return html``;
  if (group.lead === finding)
    return html`${others('same on', group.same)}${others('related: probably the same cause', group.related)}`;
  return others(group.same.includes(finding) ? 'same on' : 'probably caused by', [group.lead]);
}

function alsoOn({ operations }: MergedFinding): Markup {
  const [, ...others] = operations;
  return others.length === 0
    ? html``
    : html`<p class="where">
        and ${count(others.length, 'more operation')}:
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

function commands(finding: MergedFinding): Markup {
  const note = curlNote(finding);
  return html`${copyable('Reproduce', finding.curl)}${note === '' ? '' : html`<p class="text">${note}</p>`}${finding.replay === undefined ? '' : copyable('Replay the test', finding.replay)}`;
}

function copyable(title: string, text: string): Markup {
  return text === ''
    ? html``
    : html`<div class="copy">
        <h3>${title}</h3>
        <pre class="code"><code>${clip(text, COMMAND)}</code></pre>
        <button type="button" data-copy>Copy</button>
      </div>`;
}

function steps(finding: MergedFinding): Markup {
  if (finding.steps.length === 0) return html``;
  const shown = finding.steps.slice(-STEPS);
  const last = shown.length - 1;
  return html`<h3>
      ${count(finding.steps.length, 'step')}${finding.steps.length > STEPS ? `, the last ${STEPS}` : ''}
    </h3>
    <ol class="steps">
      ${shown.map((exchange, index) => html`<li>${exchangeMarkup(exchange, index === last, index === last ? finding.instancePointer : undefined)}</li>`)}
    </ol>`;
}

/** One exchange: what was sent, what came back. */
function exchangeMarkup(exchange: ShownExchange, open: boolean, pointer: string | undefined): Markup {
  const { request, response, failure } = exchange;
  const status = response === undefined ? (failure?.kind ?? 'no response') : String(response.status);
  return html`<details class="exchange" ${open ? html` open` : ''}>
    <summary>
      ${exchange.label === undefined ? '' : html`<span class="label">${exchange.label}</span> `}<code
        ><b>${request.method}</b> ${clip(request.url, LINE)}</code
      >
      <span class="status s${status[0] ?? ''}">${status}</span>
      <small>${latency(exchange.durationMs)} · ${exchange.identity}</small>
    </summary>
    <div class="sides">
      <div>
        <h4>Sent</h4>
        ${headerTable(Object.entries(request.headers))}${request.body === undefined ? '' : bodyMarkup(request.body)}
      </div>
      <div>
        <h4>Received</h4>
        ${response === undefined ? html`<p>${failure?.message ?? 'no response'}</p>` : html`${headerTable(response.headers)}${response.body === '' ? html`<p class="hint">no body</p>` : bodyMarkup(response.body, pointer)}${response.truncated ? html`<p class="hint">truncated: the rest of the body was not read</p>` : ''}`}
      </div>
    </div>
    ${copyable('curl', exchange.curl)}
  </details>`;
}

function headerTable(headers: readonly (readonly [string, string])[]): Markup {
  const rows = headers.slice(0, HEADERS).map(([name, value]) => [clip(name, LINE), clip(value, 1000)]);
  const rest = headers.length - rows.length;
  return table([{ kind: 'row' }, {}], rest > 0 ? [...rows, ['…', count(rest, 'more header')]] : rows, 'headers');
}

function facts(finding: MergedFinding): Markup {
  const rows: readonly (readonly [string, string])[] = [
    ['Requirement', `${finding.requirement} (${finding.grade})`],
    ['Source', finding.source],
    ['Pointer into the body', finding.instancePointer ?? ''],
    ['Pointer into the description', finding.schemaPointer ?? ''],
    ['Seen', `${count(finding.occurrences, 'time')} in ${count(finding.tests.length, 'test')}`],
    ['Tests', finding.tests.slice(0, 5).join('\n')],
    ['Seed and path', finding.seed === undefined ? '' : [finding.seed, finding.path].join(' ')],
    ['Baseline', finding.baselineReason ?? ''],
    ['Expires', finding.expires ?? ''],
    ['Code', finding.code],
    ['Fingerprint', finding.fingerprint],
  ];
  return html`<h3>Facts</h3>
    ${definitions(
      'facts',
      rows.filter(([, value]) => value !== ''),
    )}`;
}

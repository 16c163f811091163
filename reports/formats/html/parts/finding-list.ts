import { groupsOf } from '../../../summary/groups.ts';
import type { ResolvedGroup } from '../../../summary/groups.ts';
import { gravity, KIND_NAMES, kindOf, KINDS } from '../../../summary/kinds.ts';
import type { FindingKind } from '../../../summary/kinds.ts';
import type { MergedFinding, Summary } from '../../../summary/types.ts';
import { findingWord } from '../../../text/finding.ts';
import { findingsText } from '../../../text/headline.ts';
import { clip } from '../../../text/visible.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { PAGES } from './finding-pages.ts';
import { others, place, RELATED, SAME, tone } from './finding-parts.ts';

const LINE = 400;

/** The list of findings by root cause, the gravest first, each a link to its page. */
export function findingList(summary: Summary): Markup {
  if (summary.findings.length === 0) return fixedList(summary);
  const groups = groupsOf(summary).toSorted((a, b) => standing(a) - standing(b) || gravity(a.lead) - gravity(b.lead));
  const findings = summary.findings.length;
  return html`<section id="findings">
      <h2>
        Findings
        <span class="amount"
          >${findingsText(summary)}</span
        >
      </h2>
      ${groups.length > 1 ? controls(groups) : ''}
      <ol class="finding-list" id="finding-rows">
        ${groups.map(groupItem)}
      </ol>
      <p class="hint" id="finding-none" hidden>No findings match.</p>
      ${findings > PAGES ? html`<p class="hint">Only the first ${PAGES} findings have details here; summary.json has all.</p>` : ''}
    </section>
    ${fixedList(summary)}`;
}

/** Order in the list: findings that fail the run, then warnings, then known ones. */
function standing({ lead }: ResolvedGroup): number {
  return lead.known ? 2 : lead.fails ? 0 : 1;
}

function controls(groups: readonly ResolvedGroup[]): Markup {
  const amount = (isOf: (group: ResolvedGroup) => boolean): number => groups.filter(isOf).length;
  const chip = (name: string, value: string, label: string, of: number): Markup =>
    of === 0
      ? html``
      : html`<button type="button" data-finding-${name}="${value}" aria-pressed="false">${label} <b>${of}</b></button>`;
  const standings = (['violation', 'warning', 'known', 'expired'] as const)
    .map((word) => [word, amount(({ lead }) => findingWord(lead) === word)] as const)
    .filter(([, of]) => of > 0);
  return html`<div class="filters" data-finding-filters hidden>
    <input
      type="search"
      id="find-finding"
      placeholder="Search findings"
      aria-label="Search the findings"
    />
    <div class="chips" role="group" aria-label="Root causes by kind">
      <small>Root causes:</small>
      ${KINDS.map((kind) =>
        chip(
          'kind',
          kind,
          KIND_NAMES[kind],
          amount(({ lead }) => kindOf(lead) === kind),
        ),
      )}
    </div>
    ${standings.length > 1 ? html`<div class="chips" role="group" aria-label="Root causes by standing">${standings.map(([word, of]) => chip('word', word, word, of))}</div>` : ''}
  </div>`;
}

function groupItem(group: ResolvedGroup): Markup {
  const { lead, same, related } = group;
  const kind: FindingKind = kindOf(lead);
  const hay = [lead, ...same, ...related].map(searched).join(' ').toLowerCase();
  return html`<li class="${tone(lead)}" data-kind="${kind}" data-word="${findingWord(lead)}" data-hay="${clip(hay, 4000)}">
    <a href="#finding-${lead.fingerprint}"
      ><span class="tags"
        ><span class="kind k-${kind}">${KIND_NAMES[kind]}</span
        >${lead.fails ? '' : html`<span class="tag ${tone(lead)}">${findingWord(lead)}</span>`}</span
      ><span class="what">${clip(lead.message, LINE)}</span
      ><span class="where">${place(lead)} <span class="check">${lead.check}</span></span></a
    >${others(SAME, same)}${others(RELATED, related)}
  </li>`;
}

function searched({ message, operation, code, requirement, fingerprint, forms }: MergedFinding): string {
  return [message, operation, code, requirement, fingerprint, ...forms].join(' ');
}

function fixedList({ fixed }: Summary): Markup {
  if (fixed.length === 0) return html``;
  return html`<section id="fixed">
    <h2>Baseline findings not found again</h2>
    <ul class="plain">
      ${fixed.map(({ operation, message, check }) => html`<li><span class="tag passed">not found</span> <code>${operation}</code> ${message} <small>${check}</small></li>`)}
    </ul>
  </section>`;
}

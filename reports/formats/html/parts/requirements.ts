import { groupBy } from '../../../../spec/group-by.ts';
import type { RequirementSummary, RequirementVerdict, Summary } from '../../../summary/types.ts';
import { failingRequirements } from '../../../text/headline.ts';
import { count } from '../../../text/numbers.ts';
import { sectionTitle } from '../../../text/section.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { requirementParts, segmentBar } from './verdict.ts';

const LOOK = {
  violated: { rank: 0, tone: 'failed', glyph: '✗' },
  untested: { rank: 1, tone: 'untested', glyph: '·' },
  verified: { rank: 2, tone: 'passed', glyph: '✓' },
} as const satisfies Record<RequirementVerdict, object>;

/** Requirements: those that are violated, then all by section of the document. */
export function requirementsSection(summary: Summary): Markup {
  if (summary.requirements.length === 0) return html``;
  const violated = summary.requirements.filter(({ verdict }) => verdict === 'violated');
  const failing = failingRequirements(summary);
  const sections = [...groupBy(summary.requirements, ({ section }) => section)].toSorted(([a], [b]) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  return html`<section id="requirements">
    <h2>Requirements</h2>
    ${violated.length === 0 ? '' : html`<ul class="requirements">${violated.map((each) => html`<li class="${toneOf(each, failing)}">${rowMarkup(each)}</li>`)}</ul>`}
    ${sections.map(([section, members]) => sectionMarkup(section, members, failing))}
  </section>`;
}

type Failing = ReturnType<typeof failingRequirements>;

/** A violated requirement of which no finding fails the run is a warning. */
function toneOf({ id, verdict }: RequirementSummary, failing: Failing): string {
  return verdict === 'violated' && !failing.has(id) ? 'warned' : LOOK[verdict].tone;
}

function sectionMarkup(section: string, members: readonly RequirementSummary[], failing: Failing): Markup {
  const parts = requirementParts(members, failing);
  const totals = parts
    .filter(([amount]) => amount > 0)
    .map(([amount, , label]) => `${amount} ${label}`)
    .join(', ');
  const rows = members.toSorted((a, b) => LOOK[a.verdict].rank - LOOK[b.verdict].rank);
  return html`<details class="fold">
    <summary>
      <span class="name">${section === '' ? 'All requirements' : sectionTitle(section)}</span
      >${segmentBar(parts)}<small>${totals}</small>
    </summary>
    <ul class="requirements">
      ${rows.map((each) => html`<li class="${toneOf(each, failing)}" id="requirement-${each.id}">${rowMarkup(each)}</li>`)}
    </ul>
  </details>`;
}

function rowMarkup(requirement: RequirementSummary): Markup {
  const { id, text, verdict } = requirement;
  const { glyph } = LOOK[verdict];
  const grade = requirement.grade === 'documented' ? '' : html` <span class="form">${requirement.grade}</span>`;
  return html`<span class="mark" title="${verdict}">${glyph}</span>
    <div>
      <p>${text}</p>
      <p class="meta"><code>${id}</code>${grade} ${evidence(requirement)}</p>
    </div>`;
}

function evidence({ verdict, reason, passed, verifiedIn, of, findings }: RequirementSummary): Markup {
  if (verdict === 'untested') return html`<em>not tested: ${reason}</em>`;
  if (verdict === 'verified')
    return html`<small>verified in ${verifiedIn} of ${count(of, 'operation')}, by ${count(passed, 'test')}</small>`;
  const links = findings.map((fingerprint, index) => html` <a href="#finding-${fingerprint}">finding ${index + 1}</a>`);
  return html`<small>violated:${links}</small>`;
}

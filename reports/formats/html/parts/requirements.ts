import { groupBy } from '../../../../spec/group-by.ts';
import type { RequirementSummary, RequirementVerdict, Summary } from '../../../summary/types.ts';
import { count } from '../../../text/numbers.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { requirementParts, segmentBar } from './hero.ts';

const LOOK = {
  violated: { rank: 0, tone: 'failed', glyph: '✗' },
  untested: { rank: 1, tone: 'untested', glyph: '·' },
  verified: { rank: 2, tone: 'passed', glyph: '✓' },
} as const satisfies Record<RequirementVerdict, object>;

/** Requirements by section of the document; sections with a violation are open. */
export function requirementsSection(summary: Summary): Markup {
  if (summary.requirements.length === 0) return html``;
  const sections = groupBy(summary.requirements, (requirement) => requirement.section);
  return html`<section id="requirements">
    <h2>Requirements by section</h2>
    ${[...sections].map(([section, members]) => sectionMarkup(section, members))}
  </section>`;
}

function sectionMarkup(section: string, members: readonly RequirementSummary[]): Markup {
  const parts = requirementParts(members);
  const totals = parts
    .filter(([amount]) => amount > 0)
    .map(([amount, , label]) => `${amount} ${label}`)
    .join(', ');
  const rows = members.toSorted((a, b) => LOOK[a.verdict].rank - LOOK[b.verdict].rank);
  return html`<details class="fold" ${members.some(({ verdict }) => verdict === 'violated') ? html` open` : ''}>
    <summary>
      <span class="name">${section === '' ? 'Not in the document' : `Section ${section}`}</span
      >${segmentBar(parts)}<small>${totals}</small>
    </summary>
    <ul class="requirements">
      ${rows.map(rowMarkup)}
    </ul>
  </details>`;
}

function rowMarkup(requirement: RequirementSummary): Markup {
  const { id, text, verdict } = requirement;
  const { tone, glyph } = LOOK[verdict];
  const grade = requirement.grade === 'documented' ? '' : html` <span class="form">${requirement.grade}</span>`;
  return html`<li class="${tone}" id="requirement-${id}">
    <span class="mark" title="${verdict}">${glyph}</span>
    <div>
      <p>${text}</p>
      <p class="meta"><code>${id}</code>${grade} ${evidence(requirement)}</p>
    </div>
  </li>`;
}

function evidence({ verdict, reason, passed, verifiedIn, of, findings }: RequirementSummary): Markup {
  if (verdict === 'untested') return html`<em>not tested: ${reason}</em>`;
  if (verdict === 'verified')
    return html`<small>verified in ${verifiedIn} of ${count(of, 'operation')}, by ${count(passed, 'test')}</small>`;
  const links = findings.map((fingerprint, index) => html` <a href="#finding-${fingerprint}">finding ${index + 1}</a>`);
  return html`<small>violated:${links}</small>`;
}

import { groupBy } from '../../../../spec/group-by.ts';
import type { RequirementSummary, RequirementVerdict, Summary } from '../../../summary/types.ts';
import { failingRequirements } from '../../../text/headline.ts';
import { count } from '../../../text/numbers.ts';
import { clip } from '../../../text/visible.ts';
import { sectionTitle } from '../../../text/section.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { PAGES } from './finding-pages.ts';
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
  const linkOf = findingLinks(summary);
  const sections = [...groupBy(summary.requirements, ({ section }) => section)].toSorted(([a], [b]) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  return html`<section id="requirements">
    <h2>Requirements</h2>
    ${violated.length === 0 ? '' : html`<ul class="requirements">${violated.map((each) => html`<li class="${toneOf(each, failing)}">${rowMarkup(each, linkOf)}</li>`)}</ul>`}
    ${sections.map(([section, members]) => sectionMarkup(section, members, { failing, linkOf }))}
  </section>`;
}

type Failing = ReturnType<typeof failingRequirements>;

interface Context {
  readonly failing: Failing;
  readonly linkOf: (fingerprint: string) => Markup;
}

const MESSAGE = 160;

/** Links to findings by their messages; a finding without a page is only named. */
function findingLinks({ findings }: Summary): Context['linkOf'] {
  const places = new Map(findings.map((finding, index) => [finding.fingerprint, { finding, index }]));
  return (fingerprint) => {
    const place = places.get(fingerprint);
    const text = clip(place?.finding.message ?? fingerprint, MESSAGE);
    return place !== undefined && place.index < PAGES
      ? html`<a href="#finding-${fingerprint}">${text}</a>`
      : html`${text}`;
  };
}

/** A violated requirement of which no finding fails the run is a warning. */
function toneOf({ id, verdict }: RequirementSummary, failing: Failing): string {
  return verdict === 'violated' && !failing.has(id) ? 'warned' : LOOK[verdict].tone;
}

function sectionMarkup(section: string, members: readonly RequirementSummary[], { failing, linkOf }: Context): Markup {
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
      ${rows.map((each) => html`<li class="${toneOf(each, failing)}" id="requirement-${each.id}">${rowMarkup(each, linkOf)}</li>`)}
    </ul>
  </details>`;
}

function rowMarkup(requirement: RequirementSummary, linkOf: Context['linkOf']): Markup {
  const { id, text, verdict } = requirement;
  const { glyph } = LOOK[verdict];
  const grade = requirement.grade === 'documented' ? '' : html` <span class="form">${requirement.grade}</span>`;
  return html`<span class="mark" title="${verdict}">${glyph}</span>
    <div>
      <p>${text}</p>
      <p class="meta"><code>${id}</code>${grade} ${evidence(requirement, linkOf)}</p>
    </div>`;
}

function evidence(
  { verdict, reason, passed, verifiedIn, of, findings }: RequirementSummary,
  linkOf: Context['linkOf'],
): Markup {
  if (verdict === 'untested') return html`<em>not tested: ${reason}</em>`;
  if (verdict === 'verified')
    return html`<small>verified in ${verifiedIn} of ${count(of, 'operation')}, by ${count(passed, 'test')}</small>`;
  const links = findings.map((fingerprint, index) => html`${index === 0 ? '' : '; '}${linkOf(fingerprint)}`);
  return html`<small>violated: ${links}</small>`;
}

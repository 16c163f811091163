import { groupBy } from '../../../group.ts';
import type { RequirementSummary, Summary, Verdict } from '../../../summary/types.ts';
import { count } from '../../../text/numbers.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { segmentBar } from './hero.ts';

const GLYPH = { kept: '✓', broken: '✗', untried: '·' } as const satisfies Record<Verdict, string>;
const RANK = { broken: 0, untried: 1, kept: 2 } as const satisfies Record<Verdict, number>;

/** Requirements by section of the document; sections with a broken one stand open. */
export function requirementsSection(summary: Summary): Markup {
  if (summary.requirements.length === 0) return html``;
  const sections = groupBy(summary.requirements, (requirement) => requirement.section);
  return html`<section id="requirements">
    <h2>Requirements by section</h2>
    ${[...sections].map(([section, members]) => sectionMarkup(section, members))}
  </section>`;
}

function sectionMarkup(section: string, members: readonly RequirementSummary[]): Markup {
  const amount = (verdict: Verdict): number => members.filter((member) => member.verdict === verdict).length;
  const parts = [
    [amount('kept'), 'kept', 'kept'],
    [amount('broken'), 'broken', 'broken'],
    [amount('untried'), 'untried', 'untried'],
  ] as const;
  const told = parts
    .filter(([value]) => value > 0)
    .map(([value, , name]) => `${value} ${name}`)
    .join(', ');
  const rows = members.toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict]);
  return html`<details class="fold" ${amount('broken') > 0 ? html` open` : ''}>
    <summary>
      <span class="name">${section === '' ? 'Not in the document' : `Section ${section}`}</span
      >${segmentBar(parts)}<small>${told}</small>
    </summary>
    <ul class="requirements">
      ${rows.map(rowMarkup)}
    </ul>
  </details>`;
}

function rowMarkup(requirement: RequirementSummary): Markup {
  const links = requirement.findings.map(
    (fingerprint, index) => html` <a href="#finding-${fingerprint}">finding ${index + 1}</a>`,
  );
  const why =
    requirement.verdict === 'untried'
      ? html`<em>untried: ${requirement.reason}</em>`
      : requirement.verdict === 'kept'
        ? html`<small>${count(requirement.passed, 'test')}</small>`
        : html`<small>broken:${links}</small>`;
  const grade = requirement.grade === 'documented' ? '' : html` <span class="form">${requirement.grade}</span>`;
  return html`<li class="${requirement.verdict}" id="requirement-${requirement.id}">
    <span class="mark" title="${requirement.verdict}">${GLYPH[requirement.verdict]}</span>
    <div>
      <p>${requirement.text}</p>
      <p class="meta"><code>${requirement.id}</code>${grade} ${why}</p>
    </div>
  </li>`;
}

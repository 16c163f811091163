import type { RequirementSummary, RequirementVerdict, Summary } from '../../../summary/types.ts';
import { splitErrors } from '../../../text/errors.ts';
import type { ErrorGroup } from '../../../text/errors.ts';
import { count, day, duration, thousands } from '../../../text/numbers.ts';
import { failingRequirements, headline } from '../../../text/headline.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { definitions } from '../elements.ts';

const GLYPH = { passed: '✓', failed: '✗', inconclusive: '?', error: '!', interrupted: '‖' } as const satisfies Record<
  Summary['verdict'],
  string
>;

export function hero(summary: Summary): Markup {
  const { sentence, details } = headline(summary);
  return html`<header class="hero ${summary.verdict}" id="verdict">
    <p class="kicker">
      <span class="word">${summary.verdict.toUpperCase()}</span> assay ${summary.command} · ${summary.spec.title}
    </p>
    <h1><span class="seal" aria-hidden="true">${GLYPH[summary.verdict]}</span><span>${sentence}</span></h1>
    <p class="target">
      ${summary.target.baseUrl}${summary.target.embedded ? ' (embedded service)' : ''}
      <time datetime="${summary.startedAt}">${day(summary.startedAt)}</time>
    </p>
    ${definitions('figures', figures(summary))}
    ${requirementBar(summary)}${details.slice(1).map((line) => html`<p class="hint">${line}</p>`)}${errors(summary)}
  </header>`;
}

/** How many requirements have each verdict, for {@link segmentBar}; `failing`: those that fail the run. */
export function requirementParts(
  requirements: readonly RequirementSummary[],
  failing: ReadonlySet<string | undefined>,
): readonly (readonly [amount: number, kind: string, label: string])[] {
  const amount = (verdict: RequirementVerdict): number =>
    requirements.filter((requirement) => requirement.verdict === verdict).length;
  const fails = requirements.filter(({ id, verdict }) => verdict === 'violated' && failing.has(id)).length;
  const warns = amount('violated') - fails;
  return [
    [amount('verified'), 'passed', 'verified'],
    [fails, 'failed', 'violated'],
    ...(warns > 0 ? [[warns, 'warned', 'with warnings only'] as const] : []),
    [amount('untested'), 'untested', 'not tested'],
  ];
}

/** A bar of parts in proportion, with a legend. */
export function segmentBar(parts: readonly (readonly [amount: number, kind: string, label: string])[]): Markup {
  const total = parts.reduce((sum, [amount]) => sum + amount, 0);
  if (total === 0) return html``;
  let x = 0;
  const rects = parts.map(([amount, kind]) => {
    const wide = (amount / total) * 100;
    x += wide;
    return html`<rect class="s-${kind}" x="${(x - wide).toFixed(2)}" width="${wide.toFixed(2)}" height="10" />`;
  });
  const label = parts.map(([amount, , name]) => `${amount} ${name}`).join(', ');
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${label}">
    ${rects}
  </svg>`;
}

function requirementBar(summary: Summary): Markup {
  if (summary.requirements.length === 0) return html``;
  const parts = requirementParts(summary.requirements, failingRequirements(summary));
  return html`<a class="coverage" href="#requirements"
    >${segmentBar(parts)}<span
      >Requirements:
      ${parts.map(([value, kind, name], index) => html`${index > 0 ? ', ' : ''}<b class="t-${value > 0 ? kind : 'untested'}">${value} ${name}</b>`)}</span
    ></a
  >`;
}

function figures(summary: Summary): (readonly [label: string, value: string])[] {
  const { totals, findings, scenarios = [] } = summary;
  const failing = findings.filter((finding) => finding.fails).length;
  const requests = scenarios.reduce((sum, scenario) => sum + scenario.requests, totals.exchanges);
  const tests = totals.passed + totals.failed + totals.errors;
  return [
    ...(tests > 0 || scenarios.length === 0
      ? [
          [findings.length === 1 ? 'finding' : 'findings', thousands(findings.length)] as const,
          ...(failing < findings.length ? [['that fail the run', thousands(failing)] as const] : []),
          ['tests run', thousands(tests)] as const,
          ['skipped', thousands(totals.skipped)] as const,
        ]
      : []),
    ...(totals.cases > 0 ? [['generated cases', thousands(totals.cases)] as const] : []),
    ['requests', thousands(requests)],
    ['duration', duration(summary.durationMs)],
    ['seed', String(summary.seed)],
  ];
}

function errors(summary: Summary): Markup {
  const { headline: main, others } = splitErrors(summary);
  return html`${main?.hint === undefined ? '' : html`<p class="hint">Hint: ${main.hint}</p>`}${errorList(others)}`;
}

function errorList(errors: readonly ErrorGroup[]): Markup {
  if (errors.length === 0) return html``;
  const shown = errors.slice(0, 20);
  const rest = errors.length - shown.length;
  return html`<ul class="errors">
    ${shown.map((error) => html`<li>${error.where === undefined ? '' : html`<code>${error.where}</code> `}${error.message}${error.hint === undefined ? '' : html` <em>hint: ${error.hint}</em>`}</li>`)}${rest > 0 ? html`<li>… and ${count(rest, 'more error')}</li>` : ''}
  </ul>`;
}

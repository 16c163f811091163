import { count, day, duration, thousands } from '../../../text/numbers.ts';
import { clip } from '../../../text/visible.ts';
import type { Summary } from '../../../summary/types.ts';
import { definitions } from '../elements.ts';
import { html } from '../markup.ts';
import type { Markup, Fragment } from '../markup.ts';

/** How the run was started, in words; all options are folded. */
export function runSection(summary: Summary): Markup {
  const options = Object.entries(summary.options)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, clip(typeof value === 'string' ? value : JSON.stringify(value), 1000)] as const);
  return html`<section id="run" class="run-words">
    <h2>This run</h2>
    ${[whatRan(summary), whereItRan(summary), whatItSent(summary)].map((sentence) => (sentence === '' ? '' : html`<p>${sentence}</p>`))}
    <details>
      <summary>All settings</summary>
      ${definitions('facts', [['Started', summary.startedAt], ['Description', summary.spec.source], ...options])}
    </details>
  </section>`;
}

function whatRan({ version, command, target, spec, startedAt, durationMs }: Summary): Fragment {
  const service = target.embedded ? ', the embedded service' : '';
  return html`Assay ${version} ran <code>assay ${command}</code> against <code>${target.baseUrl}</code>${service}, on
    ${day(startedAt)}, for ${duration(durationMs)}. The description is “${spec.title}” with
    ${count(spec.operations, 'operation')}.`;
}

function whereItRan({ environment }: Summary): Fragment {
  if (environment === undefined) return '';
  const { node, platform, commit, branch, ci } = environment;
  const on = branch === undefined ? '' : html` on <code>${branch}</code>`;
  const code = commit === undefined ? '' : html`, from commit <code>${commit.slice(0, 12)}</code>${on}`;
  const job = ci?.job === undefined ? (ci?.name ?? '') : `${ci.name}, job ${ci.job}`;
  const isLink = ci?.url !== undefined && /^https?:\/\//.test(ci.url);
  const where = ci === undefined ? '' : html`, in ${isLink ? html`<a href="${ci.url ?? ''}">${job}</a>` : job}`;
  return html`It used Node.js ${node} on ${platform}${where}${code}.`;
}

function whatItSent({ command, seed, options, totals, strict }: Summary): string {
  const { allow, only, skip, settleMs, runs } = options;
  const sentences = [
    `The seed was ${seed}${command === 'verify' ? '; the same seed generates the same cases' : ''}.`,
    Array.isArray(allow) ? `Allowed effects: ${allow.map(String).join(', ')}.` : '',
    typeof runs === 'number'
      ? `Each property ran up to ${count(runs, 'case')} (${thousands(totals.cases)} in all).`
      : '',
    command === 'verify' && typeof settleMs === 'number'
      ? `A change was given ${duration(settleMs)} to become visible.`
      : '',
    list(only) === '' ? '' : `Only ${list(only)} ran.`,
    list(skip) === '' ? '' : `Skipped: ${list(skip)}.`,
    strict ? 'Warnings failed the run too (--strict).' : '',
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function list(value: unknown): string {
  return Array.isArray(value) ? value.map(String).join(', ') : '';
}

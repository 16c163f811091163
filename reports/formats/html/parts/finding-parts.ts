import type { MergedFinding } from '../../../summary/types.ts';
import { clip } from '../../../text/visible.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';

const SUBJECT = 60;
const LINKS = 6;
const COMMAND = 100_000;

/** Titles of the links to the other findings of a root cause. */
export const SAME = 'Same on';
export const RELATED = 'Probably the same cause';

export function tone(finding: MergedFinding): string {
  return finding.known ? 'known' : finding.severity === 'violation' ? 'failed' : 'warned';
}

/** The forms that a finding is about, after the operation where its message does not name it. */
export function place({ operation, forms, message }: MergedFinding): Markup {
  return html`${message.includes(operation) ? '' : html`<code>${operation}</code>`}${forms.map((form) => html` <span class="form">${form}</span>`)}`;
}

/** Links to other findings, the later ones folded; nothing for none. */
export function others(title: string, findings: readonly MergedFinding[]): Markup {
  if (findings.length === 0) return html``;
  const [shown, rest] = [findings.slice(0, LINKS), findings.slice(LINKS)];
  return html`<div class="others">
    ${title}: ${links(shown, title === SAME)}${
      rest.length === 0
        ? ''
        : html`<details>
            <summary>and ${rest.length} more</summary>
            ${links(rest, title === SAME)}
          </details>`
    }
  </div>`;
}

/** Links name the operation; those of other symptoms also the check. */
function links(findings: readonly MergedFinding[], isSame: boolean): Markup {
  return html`${findings.map(
    ({ fingerprint, operation, check, subject }, index) =>
      html`${index > 0 ? ', ' : ''}<a href="#finding-${fingerprint}"
          ><code>${operation}</code>${isSame ? '' : html` ${check}${subject === undefined ? '' : ` (${clip(subject, SUBJECT)})`}`}</a
        >`,
  )}`;
}

/** A command with a button that copies it; empty without a command. Each part of {@link commandParts} is shown on its own line. */
export function commandBlock(title: string, command: string): Markup {
  if (command === '') return html``;
  return html`<div class="copy">
    <h3>${title}</h3>
    <pre class="code"><code>${commandParts(clip(command, COMMAND)).map((part) => html`<span>${part}</span>`)}</code></pre>
    <button type="button" data-copy aria-label="Copy: ${title}">Copy</button>
  </div>`;
}

/** A command line cut after each `&&` outside quotes, except after a `[ … ]`; joined, the parts are the command. */
export function commandParts(command: string): readonly string[] {
  const parts = command.matchAll(/(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|(?<=\] )&& |(?!&& ).)+(?:&& )?|&& /gs);
  return [...parts].map(([part]) => part);
}

import type { MergedFinding } from '../../../summary/types.ts';
import { clip } from '../../../text/visible.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';

const SUBJECT = 60;
const COMMAND = 100_000;

/** Titles of the links to the other findings of a root cause. */
export const SAME = 'Same on';
export const RELATED = 'Probably the same cause';

/** The class of a finding's colour. */
export function tone(finding: MergedFinding): string {
  return finding.known ? 'known' : finding.severity === 'violation' ? 'failed' : 'warned';
}

/** The forms that a finding is about, after the operation where its message does not name it. */
export function place({ operation, forms, message }: MergedFinding): Markup {
  return html`${message.includes(operation) ? '' : html`<code>${operation}</code>`}${forms.map((form) => html` <span class="form">${form}</span>`)}`;
}

/** Links to other findings; nothing for none. */
export function others(title: string, findings: readonly MergedFinding[]): Markup {
  if (findings.length === 0) return html``;
  return html`<p class="others">
    ${title}:
    ${findings.map(
      (finding, index) =>
        html`${index > 0 ? ', ' : ''}<a href="#finding-${finding.fingerprint}"
            ><code>${finding.operation}</code> ${finding.check}${finding.subject === undefined ? '' : ` (${clip(finding.subject, SUBJECT)})`}</a
          >`,
    )}
  </p>`;
}

/** A command with a button that copies it; nothing for none. Each part after `&&` is shown on a line of its own, and copied as it is. */
export function commandBlock(title: string, command: string): Markup {
  if (command === '') return html``;
  return html`<div class="copy">
    <h3>${title}</h3>
    <pre class="code"><code>${commandParts(clip(command, COMMAND)).map((part) => html`<span>${part}</span>`)}</code></pre>
    <button type="button" data-copy aria-label="Copy: ${title}">Copy</button>
  </div>`;
}

/** A command line cut after each `&&` outside quotes; joined, the parts are the command. */
export function commandParts(command: string): readonly string[] {
  const parts = command.matchAll(/(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|(?!&& ).)+(?:&& )?|&& /gs);
  return [...parts].map(([part]) => part);
}

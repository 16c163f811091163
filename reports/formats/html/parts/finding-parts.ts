import type { MergedFinding } from '../../../summary/types.ts';
import { clip } from '../../../text/visible.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';

const SUBJECT = 60;

/** The class of a finding's colour. */
export function tone(finding: MergedFinding): string {
  return finding.known ? 'known' : finding.severity === 'violation' ? 'failed' : 'warned';
}

/** The operation and the forms that a finding is about. */
export function place({ operation, forms }: MergedFinding): Markup {
  return html`<code>${operation}</code>${forms.map((form) => html` <span class="form">${form}</span>`)}`;
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

import type { MergedFinding, Summary } from '../summary/types.ts';
import { isFailing } from '../summary/verdict.ts';
import { clip } from '../text/visible.ts';
import { locate } from './location.ts';
import type { Location } from './location.ts';

/** GitHub shows ten annotations of a kind and step; the rest is in the summary. */
const ANNOTATIONS = 10;

/** Workflow commands such as `::error title=…::…`, with the place in the description where it is known. */
export function annotations(summary: Summary): string[] {
  const place = locate(summary.spec.source);
  const findings = summary.findings
    .filter((finding) => !finding.known)
    .slice(0, ANNOTATIONS)
    .map((finding) => annotation(finding, isFailing(finding, summary.strict), place(finding.schemaPointer)));
  const errors = summary.errors
    .slice(0, ANNOTATIONS)
    .map((error) => `::error title=assay::${data(`${error.message} ${error.hint ?? ''}`)}`);
  return [...errors, ...findings];
}

function annotation(finding: MergedFinding, fails: boolean, location: Location | undefined): string {
  const place = location === undefined ? '' : `file=${property(location.file)},line=${location.line},`;
  const text = clip(
    `${finding.message}\nexpected: ${finding.expected} (${finding.source})\nreceived: ${finding.received}\n${finding.curl}`,
    4000,
  );
  return `::${fails ? 'error' : 'warning'} ${place}title=${property(`${finding.operation} ${finding.form}`)}::${data(text)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

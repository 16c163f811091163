import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MergedFinding, Summary } from '../summary/types.ts';
import { clip } from '../text/visible.ts';
import type { WriteFormat } from './index.ts';
import { locate } from './location.ts';
import type { Location } from './location.ts';
import { markdownOf } from './markdown.ts';

/** GitHub shows ten annotations of a kind for each step; the rest is in the summary. */
const ANNOTATIONS = 10;

/** The job summary and annotations of GitHub Actions; elsewhere the same text as a file. */
export const writeGithub: WriteFormat = async ({ summary }, out) => {
  const path = join(out, 'summary.md');
  const text = markdownOf(summary);
  await writeFile(path, text);
  const { GITHUB_STEP_SUMMARY: jobSummary = '', GITHUB_ACTIONS: isAction } = process.env;
  if (jobSummary !== '') await appendFile(jobSummary, text);
  if (isAction === 'true') process.stdout.write(`${annotations(summary).join('\n')}\n`);
  return [path];
};

/** Workflow commands such as `::error title=…::…`, with the place in the description where it is known. */
export function annotations(summary: Summary): string[] {
  const place = locate(summary.spec.source);
  const findings = summary.findings
    .filter((finding) => !finding.known)
    .slice(0, ANNOTATIONS)
    .map((finding) => annotation(finding, place(finding.schemaPointer)));
  const errors = summary.errors
    .slice(0, ANNOTATIONS)
    .map((error) => `::error title=assay::${data(`${error.message} ${error.hint ?? ''}`)}`);
  return [...errors, ...findings];
}

function annotation(finding: MergedFinding, location: Location | undefined): string {
  const { operation, form, message, expected, received, source, curl } = finding;
  const place = location === undefined ? '' : `file=${property(location.file)},line=${location.line},`;
  const text = `${message}\nexpected: ${expected} (${source})\nreceived: ${received}\n${curl}`;
  const level = finding.fails ? 'error' : 'warning';
  return `::${level} ${place}title=${property(`${operation} ${form}`)}::${data(clip(text, 4000))}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

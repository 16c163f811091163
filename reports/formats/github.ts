import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { groupsOf } from '../summary/groups.ts';
import type { ResolvedGroup } from '../summary/groups.ts';
import type { Summary } from '../summary/types.ts';
import { errorGroups, errorText } from '../text/errors.ts';
import { commandsOf, curlNote, groupFacts } from '../text/finding.ts';
import { count } from '../text/numbers.ts';
import { clip } from '../text/visible.ts';
import type { WriteFormat } from './index.ts';
import { locate, repositoryRoot } from './location.ts';
import type { Location } from './location.ts';
import { markdownOf } from './markdown.ts';

/** GitHub shows ten annotations of a kind for each step; the rest is in the summary. */
const ANNOTATIONS = 10;
/** Characters of the text of an annotation, and of its command, which is left out where it is longer. */
const LONGEST = 2000;

/** The job summary and annotations of GitHub Actions; elsewhere the same text as a file. */
export const writeGithub: WriteFormat = async ({ summary }, out) => {
  const path = join(out, 'summary.md');
  const text = markdownOf({ summary });
  await writeFile(path, text);
  const { GITHUB_STEP_SUMMARY: jobSummary = '', GITHUB_ACTIONS: isAction } = process.env;
  if (jobSummary !== '') await appendFile(jobSummary, text);
  // Standard output may be JSON; the runner reads both.
  if (isAction === 'true') process.stderr.write(`${annotations(summary).join('\n')}\n`);
  return [path];
};

/** Workflow commands such as `::error title=…::…`, one for each root cause, with the place in the description. */
export function annotations(summary: Summary, root = repositoryRoot()): string[] {
  const place = locate(summary.spec.file, root);
  const groups = groupsOf(summary).filter(({ lead }) => !lead.known);
  const findings = groups.slice(0, ANNOTATIONS).map((group) => annotation(group, place(group.lead.schemaPointer)));
  const errors = errorGroups(summary.errors)
    .slice(0, ANNOTATIONS)
    .map((error) => `::error title=assay::${data(`${errorText(error)} ${error.hint ?? ''}`)}`);
  const rest = groups.length - findings.length;
  const more = `::notice title=assay::${data(`${count(rest, 'more root cause')} in the summary of the job`)}`;
  return [...errors, ...findings, ...(rest > 0 ? [more] : [])];
}

function annotation(group: ResolvedGroup, location: Location | undefined): string {
  const { operation, form, message, expected, received, source, fails } = group.lead;
  const others = groupFacts(group).map(([label, text]) => `\n${label}: ${text}`);
  const place = location === undefined ? '' : `file=${property(location.file)},line=${location.line},`;
  const text = `${message}\nexpected: ${expected} (${source})\nreceived: ${received}${others.join('')}`;
  const [command = ''] = commandsOf(group.lead, undefined, LONGEST);
  const advice = [curlNote(group.lead), command].filter((each) => each !== '').map((each) => `\n${each}`);
  const level = fails ? 'error' : 'warning';
  return `::${level} ${place}title=${property(`${operation} ${form}`)}::${data(`${clip(text, LONGEST)}${advice.join('')}`)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

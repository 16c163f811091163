import { groupBy } from '../group.ts';
import type { MergedFinding } from '../summary/types.ts';
import { findingFacts } from '../text/finding.ts';
import { count } from '../text/numbers.ts';
import { clip, visible, visibleLine } from '../text/visible.ts';
import { wrap } from '../text/width.ts';
import type { Paint } from './paint.ts';

const SHOWN = 25;
const LIMIT = 1200;
const LONGEST = 3000;
/** Pasted, not read: never broken into lines. */
const WHOLE = new Set(['curl', 'replay', 'id']);
const LABEL = 10;

const READS_BACK = new Set(['created-reads-back', 'updated-reads-back']);

/** What most likely has one cause: the same promise broken in the same way, on several operations; or by creating an item and by updating it. */
function alike({ check, requirement, operation, cause, severity, standing }: MergedFinding): string {
  const stored = READS_BACK.has(check) ? operation.replace(/^\S+ /, '').replace(/\/\{[^{}]+\}$/, '') : undefined;
  return [...(stored === undefined ? [check, requirement] : ['reads-back', stored]), cause, severity, standing].join(
    '\u0000',
  );
}

function otherLines(others: readonly MergedFinding[], paint: Paint, columns: number): string[] {
  if (others.length === 0) return [];
  const operations = others.map((each) => `${visibleLine(each.operation)} (${each.fingerprint})`);
  return factLines(
    'alike',
    `the same on ${count(others.length, 'more operation')}: ${operations.join(', ')}`,
    paint,
    columns,
  );
}

/** What is told of a list by reading its pages: where these are wrong, so is that. */
const READ_BY_PAGES = new Set([
  'filters',
  'ordering',
  'query-styles',
  'paging-partition',
  'paging-defaults',
  'paging-past-end',
]);

type Group = readonly MergedFinding[];

/** By the first finding on the pages of a list, the others on that list that most likely come of it. */
function followersOf(groups: readonly Group[]): ReadonlyMap<Group, readonly Group[]> {
  const about = (group: Group): string => group[0]?.operation ?? '';
  const roots = groups.filter(
    (each, index) =>
      /^paging-(?:partition|base)$/.test(each[0]?.check ?? '') &&
      groups.findIndex(
        (other) => about(other) === about(each) && /^paging-(?:partition|base)$/.test(other[0]?.check ?? ''),
      ) === index,
  );
  return new Map(
    roots.map((root) => [
      root,
      groups.filter((each) => each !== root && about(each) === about(root) && READ_BY_PAGES.has(each[0]?.check ?? '')),
    ]),
  );
}

function followerLines(followers: readonly MergedFinding[], paint: Paint, columns: number): string[] {
  if (followers.length === 0) return [];
  const told = followers.map((each) => `${visibleLine(clip(each.message, 120))} (${each.fingerprint})`);
  return factLines('with it', `may well come of it: ${told.join('; ')}`, paint, columns);
}

/**
 * The findings, the compiler's way: what, where, expected, received, how to repeat it. Those that are alike on several
 * operations are told once, and what most likely comes of another is told with it.
 */
export function findingLines(findings: readonly MergedFinding[], paint: Paint, columns: number): string[] {
  const all = [...groupBy(findings, alike).values()];
  const followers = followersOf(all);
  const groups = all.filter((each) => ![...followers.values()].some((others) => others.includes(each)));
  const shown = groups.slice(0, SHOWN).flatMap((group) => {
    const [first, ...others] = group;
    return first === undefined
      ? []
      : [
          '',
          ...oneFinding(first, paint, columns),
          ...otherLines(others, paint, columns),
          ...followerLines((followers.get(group) ?? []).flat(), paint, columns),
        ];
  });
  const rest = groups.slice(SHOWN).reduce((sum, group) => sum + group.length, 0);
  return rest > 0 ? [...shown, '', paint.dim(`… and ${count(rest, 'more finding')} in the reports`)] : shown;
}

/** One line for a finding at the moment it is seen. */
export function findingLine(
  finding: Pick<MergedFinding, 'operation' | 'form' | 'message' | 'severity'>,
  paint: Paint,
): string {
  const mark = finding.severity === 'violation' ? paint.red('✗') : paint.yellow('!');
  const told = finding.message.startsWith(finding.operation)
    ? finding.message.slice(finding.operation.length).replace(/^:? /, '')
    : finding.message;
  return `${mark} ${visibleLine(finding.operation)} ${paint.dim(visibleLine(finding.form))} ${visibleLine(clip(told, 300))}`;
}

function oneFinding(finding: MergedFinding, paint: Paint, columns: number): string[] {
  const tone = finding.known ? paint.dim : finding.severity === 'violation' ? paint.red : paint.yellow;
  const word = finding.known ? 'known' : finding.severity === 'violation' ? 'broken' : 'warning';
  const title = wrap(`${word}: ${visibleLine(clip(finding.message, LIMIT))}`, columns - 2);
  return [
    ...title.map((line, index) => `${index === 0 ? tone('▌') : ' '} ${paint.bold(line)}`),
    ...findingFacts(finding).flatMap(([label, text]) => factLines(label, text, paint, columns)),
  ];
}

function factLines(label: string, text: string, paint: Paint, columns: number): string[] {
  const safe = WHOLE.has(label)
    ? [visibleLine(text.length > LONGEST ? `${clip(text, LIMIT)} the reports have it whole` : text)]
    : wrap(visible(clip(text, LIMIT)), columns - LABEL - 2);
  const tone =
    label === 'id' ? paint.dim : label === 'curl' || label === 'replay' ? paint.cyan : (line: string): string => line;
  return safe.map((line, index) => `  ${paint.dim((index === 0 ? label : '').padEnd(LABEL))}${tone(line)}`);
}

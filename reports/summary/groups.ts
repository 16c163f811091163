import { groupBy } from '../group.ts';
import type { FindingGroup, MergedFinding, Summary } from './types.ts';

/** Checks that compare what was stored with what was sent: one defect shows in creating and in updating an item. */
const READS_BACK: readonly string[] = ['created-reads-back', 'updated-reads-back'];

/** Checks whose finding on a list explains those of {@link READ_BY_PAGES} on the same list. */
const PAGE_ROOTS: readonly string[] = ['paging-partition', 'paging-base'];

/** Checks that read a list page by page. */
const READ_BY_PAGES: readonly string[] = [
  'filters',
  'ordering',
  'query-styles',
  'paging-partition',
  'paging-defaults',
  'paging-past-end',
];

type Group = readonly MergedFinding[];

/** Groups findings by root cause: the same defect on several operations, and symptoms that wrong pages explain. */
export function groupFindings(findings: readonly MergedFinding[]): FindingGroup[] {
  const groups = [...groupBy(findings, sameDefect).values()];
  const symptoms = symptomsOf(groups);
  const explained = new Set([...symptoms.values()].flat());
  return groups
    .filter((group) => !explained.has(group))
    .map((group) => {
      const [lead = '', ...same] = group.map((finding) => finding.fingerprint);
      return { lead, same, related: (symptoms.get(group) ?? []).flat().map((finding) => finding.fingerprint) };
    });
}

/** The same requirement violated in the same way on several operations, or by creating an item and by updating it. */
function sameDefect({ check, requirement, code, operation, subject, severity, standing }: MergedFinding): string {
  const place = READS_BACK.includes(check) ? ['reads-back', collectionOf(operation)] : [check, requirement];
  return [...place, code.slice(check.length), subject ?? '', severity, standing].join('\u0000');
}

/** `/aiagent` of `PUT /aiagent/{id}`. */
function collectionOf(operation: string): string {
  return operation.replace(/^\S+ /, '').replace(/\/\{[^{}]+\}$/, '');
}

/** For the first finding about the pages of a list, the other findings on that list that it explains. */
function symptomsOf(groups: readonly Group[]): ReadonlyMap<Group, readonly Group[]> {
  const lists = groupBy(groups, (group) => group[0]?.operation ?? '');
  const symptoms = new Map<Group, readonly Group[]>();
  for (const members of lists.values()) {
    const root = members.find((group) => PAGE_ROOTS.includes(group[0]?.check ?? ''));
    if (root === undefined) continue;
    const others = members.filter((group) => group !== root && READ_BY_PAGES.includes(group[0]?.check ?? ''));
    symptoms.set(root, others);
  }
  return symptoms;
}

/** A group with its findings in place of their fingerprints. */
export interface ResolvedGroup {
  readonly lead: MergedFinding;
  readonly same: readonly MergedFinding[];
  readonly related: readonly MergedFinding[];
}

/** The groups of a run, for formats that show findings by root cause. */
export function groupsOf({ findings, groups }: Pick<Summary, 'findings' | 'groups'>): ResolvedGroup[] {
  const known = new Map(findings.map((finding) => [finding.fingerprint, finding]));
  const all = (list: readonly string[]): MergedFinding[] => list.flatMap((fingerprint) => known.get(fingerprint) ?? []);
  return groups.flatMap(({ lead, same, related }) => {
    const first = known.get(lead);
    return first === undefined ? [] : [{ lead: first, same: all(same), related: all(related) }];
  });
}

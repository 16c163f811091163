import { groupBy } from '../../spec/group-by.ts';
import type { FindingGroup, MergedFinding, Summary } from './types.ts';

/** Checks that compare what was stored with what was sent: one defect shows in creating and in updating an item. */
const READS_BACK: readonly string[] = ['created-reads-back', 'updated-reads-back'];

/** Checks whose finding on a list explains the findings that {@link EXPLAINED_BY_PAGES} names on the same list. */
const PAGE_ROOTS: readonly string[] = ['paging-partition', 'paging-base'];

/** Checks and codes that depend on reading all pages of a list: items that are lost there are not found elsewhere. */
const EXPLAINED_BY_PAGES: readonly string[] = [
  'paging-partition',
  'paging-base',
  'paging-defaults',
  'paging-past-end',
  'filters/not-found',
  'filters/lost-on-next-page',
  'query-styles/parameter-order',
];

type Group = readonly MergedFinding[];

/** Groups findings by root cause: the same defect on several operations, and symptoms that another finding explains. */
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

/** By group, the groups that it explains: symptoms have none of their own. */
function symptomsOf(groups: readonly Group[]): ReadonlyMap<Group, readonly Group[]> {
  const causes = new Map(groups.map((group) => [group, causeOf(group, groups)]));
  const symptoms = groups.flatMap((group) => {
    const cause = causes.get(group);
    return cause === undefined || causes.get(cause) !== undefined ? [] : [{ cause, group }];
  });
  return new Map(
    [...groupBy(symptoms, ({ cause }) => cause)].map(([cause, each]) => [cause, each.map(({ group }) => group)]),
  );
}

/** The group that explains another one and counts as much: a known finding explains no new one. */
function causeOf(group: Group, groups: readonly Group[]): Group | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const byEvidence = groups.find((other) => other.some(({ fingerprint }) => fingerprint === first.cause));
  const cause = byEvidence ?? groups.find((other) => other[0] !== undefined && explainsPages(other[0], first));
  return cause === group || cause?.[0]?.fails !== first.fails ? undefined : cause;
}

function explainsPages(root: MergedFinding, { operation, check, code }: MergedFinding): boolean {
  const isOfPages = EXPLAINED_BY_PAGES.includes(check) || EXPLAINED_BY_PAGES.includes(code);
  return root.operation === operation && PAGE_ROOTS.includes(root.check) && isOfPages;
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

import { defined } from '../../spec/defined.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { FindingCode } from '../../spec/index.ts';
import { APPLIED_WRONGLY, REFUSED_KINDS, SEVERAL_MEMBERS } from './cause-codes.ts';
import { collectionIn, isUnspecific } from './relations.ts';
import { explains } from './root-causes.ts';
import { isOfEndpoint, isOfGatewayAtTimes, provokedBy } from './statuses.ts';
import type { FindingGroup, MergedFinding, Summary } from './types.ts';

/** Checks that compare what was stored with what was sent: one defect shows in creating and in updating an item. */
const READS_BACK: readonly string[] = ['created-reads-back', 'updated-reads-back'];

type Group = readonly MergedFinding[];

/** Groups findings by root cause: the same defect on several operations, and symptoms that another finding explains. */
export function groupFindings(findings: readonly MergedFinding[]): FindingGroup[] {
  const known = withRecurrenceOf(({ code, operation }) => `${code} ${operation}`, findings);
  const [fewer, many] = [fewFailing(known), ofManyKinds(known)];
  const keyOf = (each: MergedFinding): string => {
    if (many.has(each.fingerprint)) return sharedCause(each);
    if (isExplainedByItsRequest(each, known)) return each.fingerprint;
    return fewer.has(each.fingerprint)
      ? `${sameDefect(each)}\u0000${collectionIn(each.operation).split('/')[1]}`
      : sameDefect(each);
  };
  const groups = [...groupBy(withRecurrenceOf(sameDefect, known), keyOf).values()].flatMap(byProvocation);
  const symptoms = symptomsOf(groups);
  const explained = new Set([...symptoms.values()].flat());
  return groups
    .filter((group) => !explained.has(group))
    .map((group) => {
      const isOfKinds = group.every(({ fingerprint }) => many.has(fingerprint));
      const [lead = '', ...others] = (isOfKinds ? simplestFirst(group) : group).map(({ fingerprint }) => fingerprint);
      const related = (symptoms.get(group) ?? []).flat().map(({ fingerprint }) => fingerprint);
      const found = isOfKinds ? { lead, same: [], related: [...others, ...related] } : { lead, same: others, related };
      return withShownLead(found, known);
    });
}

/** A server error of a generated request, where another finding names the members that cause one. */
function isExplainedByItsRequest(finding: MergedFinding, findings: Group): boolean {
  return isUnspecific(finding) && findings.some((other) => other !== finding && explains(other, finding));
}

/** Where the line of the lead does not show it, or names too few of its members, the shortest line of the same kind leads. */
function withShownLead(group: FindingGroup, findings: Group): FindingGroup {
  const known = new Map(findings.map((finding) => [finding.fingerprint, finding]));
  const lead = known.get(group.lead);
  if (lead === undefined || isClear(lead)) return group;
  const [best] = [...group.same, ...group.related]
    .flatMap((each) => known.get(each) ?? [])
    .filter(
      (each) => each.code === lead.code && each.fails === lead.fails && isClear(each) && each.curlShows === undefined,
    )
    .toSorted((a, b) => a.curl.length - b.curl.length);
  if (best === undefined) return group;
  const swapped = (all: readonly string[]): readonly string[] =>
    all.map((each) => (each === best.fingerprint ? lead.fingerprint : each));
  return { lead: best.fingerprint, same: swapped(group.same), related: swapped(group.related) };
}

const isClear = ({ curlShows, subject = '' }: MergedFinding): boolean =>
  curlShows !== 'body' && curlShows !== 'part' && !subject.split(' ').includes(SEVERAL_MEMBERS);

/** Where operations of so many resources fail with 500, one cause is likely, such as a database that is down. */
const MANY_RESOURCES = 4;

/** Server errors in a few resources, which more likely have a cause each; by their fingerprints. */
function fewFailing(findings: Group): ReadonlySet<string> {
  const failing = findings.filter((each) => each.code === 'no-server-error/status' && !isOfGatewayAtTimes(each));
  const resources = new Set(failing.map(({ operation }) => collectionIn(operation).split('/')[1]));
  return new Set(resources.size < MANY_RESOURCES ? failing.map(({ fingerprint }) => fingerprint) : []);
}

/** Server errors of which plain requests show none, by what provokes them; other groups as they are. */
function byProvocation(group: Group): readonly Group[] {
  const isProvoked = group.every((each) => each.code === 'no-server-error/status' && provokedBy(each) !== undefined);
  return isProvoked ? [...groupBy(group, (each) => provokedBy(each) ?? '').values()] : [group];
}

/** Where an operation refuses so many kinds of valid requests, or applies so many kinds of patches wrongly, one cause is likely. */
const MANY_KINDS = 6;

const NOT_FOUND = 404;

const statusOf = ({ steps }: MergedFinding): number | undefined => steps.at(-1)?.response?.status;

/**
 * What findings of valid requests have in common that one operation refuses with the same status, that all operations of one
 * resource refuse because its items are gone, or that are patches.
 */
function sharedCause(finding: MergedFinding): string {
  const { check, operation, severity, standing } = finding;
  if (READS_BACK.includes(check)) return ['stored', collectionIn(operation), severity, standing].join('\u0000');
  if (check === 'json-patch') return [check, operation, severity, standing].join('\u0000');
  const status = statusOf(finding);
  const place = status === NOT_FOUND ? collectionIn(operation).split('/')[1] : operation;
  return ['refusal', place, status, severity, standing].join('\u0000');
}

/** Refusals of {@link MANY_KINDS} and more kinds of valid requests, or patches; by their fingerprints. */
function ofManyKinds(findings: Group): ReadonlySet<string> {
  const kinds = findings.filter(
    (each) =>
      REFUSED_KINDS.includes(each.code) ||
      APPLIED_WRONGLY.includes(each.code) ||
      (each.check === 'valid-request-served' && statusOf(each) === NOT_FOUND),
  );
  const many = [...groupBy(kinds, sharedCause).values()].filter((group) => group.length >= MANY_KINDS);
  return new Set([...many.flat(), ...ofManyMembers(findings)].map(({ fingerprint }) => fingerprint));
}

/** Where so many members of an item are not stored, its updates or creations probably are not stored at all. */
const MANY_MEMBERS = 4;

/** Members that one operation does not store, where they are {@link MANY_MEMBERS} or more. */
function ofManyMembers(findings: Group): Group {
  const lost = findings.filter(({ code, operation }) => STORED_MEMBER.includes(code) && !operation.startsWith('GET '));
  return [...groupBy(lost, (each) => `${each.operation} ${sharedCause(each)}`).values()]
    .filter((group) => new Set(group.flatMap(({ subject }) => membersIn(subject))).size >= MANY_MEMBERS)
    .flat();
}

const STORED_MEMBER: readonly string[] = [
  'created-reads-back/member',
  'updated-reads-back/member',
] satisfies readonly FindingCode[];

/** The one member that a subject names first; a subject with more members than one does not tell which of them is wrong. */
function membersIn(subject = ''): readonly string[] {
  const names = subject.split(' ').filter((name) => name !== '' && name !== SEVERAL_MEMBERS);
  const [first, ...others] = new Set(names.map((name) => name.replace(/^\//, '').split('/', 1)[0] ?? ''));
  return first === undefined || others.length > 0 ? [] : [first];
}

/** Codes that follow from others, or that name one member of several. */
const SHOWN_LAST: readonly string[] = [
  'valid-request-served/member-refused',
  'json-patch/response',
] satisfies readonly FindingCode[];

/** The finding with the smallest request first; those of {@link SHOWN_LAST} last. */
function simplestFirst(group: Group): Group {
  const sizeOf = ({ code, steps }: MergedFinding): number =>
    SHOWN_LAST.includes(code) ? Number.MAX_SAFE_INTEGER : (steps.at(-1)?.request.body?.length ?? 0);
  return group.toSorted((a, b) => sizeOf(a) - sizeOf(b));
}

/** The same requirement violated in the same way on several operations, or by creating an item and by updating it. */
function sameDefect(finding: MergedFinding): string {
  const { check, requirement, code, operation, subject, severity, standing } = finding;
  const endpoint = isOfEndpoint(finding) ? [operation] : [];
  const place = READS_BACK.includes(check) ? ['reads-back', collectionIn(operation)] : [check, requirement];
  const kind = isOfGatewayAtTimes(finding) ? 'gateway' : (subject ?? '');
  return [...place, ...endpoint, code.slice(check.length), kind, severity, standing].join('\u0000');
}

/** Not all tests ran again: findings of which nothing is known count as those with their key, where these agree. */
function withRecurrenceOf(key: (finding: MergedFinding) => string, findings: Group): Group {
  const alike = groupBy(findings, key);
  return findings.map((finding) => {
    const [recurred, other] = new Set(alike.get(key(finding))?.flatMap((each) => each.recurred ?? []));
    return other === undefined ? { ...finding, ...defined({ recurred }) } : finding;
  });
}

/** Symptoms by the group that is their root cause. */
function symptomsOf(groups: readonly Group[]): ReadonlyMap<Group, readonly Group[]> {
  const causes = new Map(groups.map((group) => [group, causeOf(group, groups)]));
  const symptoms = groups.flatMap((group) => {
    const cause = rootOf(group, causes, groups);
    return cause === group ? [] : [{ cause, group }];
  });
  return new Map(
    [...groupBy(symptoms, ({ cause }) => cause)].map(([cause, each]) => [cause, each.map(({ group }) => group)]),
  );
}

/** The first group that explains this one, if possible one that this one does not explain in turn. */
function causeOf(group: Group, groups: readonly Group[]): Group | undefined {
  const causes = groups.filter((other) => isCauseOf(other, group));
  const isGone = group.every((finding) => statusOf(finding) === NOT_FOUND);
  const deletion = causes.find((cause) => isGone && cause.some(({ code }) => code === REMOVES_OTHERS));
  return deletion ?? causes.find((cause) => !isCauseOf(group, cause)) ?? causes[0];
}

const REMOVES_OTHERS: FindingCode = 'deleted-is-gone/other-item';

function isCauseOf(other: Group, group: Group): boolean {
  return other !== group && group.every((symptom) => other.some((root) => explains(root, symptom)));
}

/** The root of a chain of causes; of groups that explain each other, the first one. */
function rootOf(group: Group, causes: ReadonlyMap<Group, Group | undefined>, groups: readonly Group[]): Group {
  const path: Group[] = [];
  for (let at: Group | undefined = group; at !== undefined; at = causes.get(at)) {
    const from = path.indexOf(at);
    if (from >= 0) return groups.find((each) => path.slice(from).includes(each)) ?? group;
    path.push(at);
  }
  return path.at(-1) ?? group;
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

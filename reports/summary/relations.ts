import type { CheckName, FindingCode } from '../../spec/index.ts';
import * as codes from './cause-codes.ts';
import { lastStatus } from './statuses.ts';
import type { MergedFinding } from './types.ts';

/** True if both findings probably have the same cause, and the first shows it better. */
export type Explains = (root: MergedFinding, symptom: MergedFinding) => boolean;

/** Codes or checks of findings. */
type Kinds = CheckName | FindingCode | readonly string[];

/** A finding of one kind explains one of the other kind in such a place, where the rest holds as well. */
export function rule(where: Explains, root: Kinds, symptom: Kinds, also: Explains = anywhere): Explains {
  const [roots, symptoms] = [root, symptom].map((kinds) => new Set([kinds].flat()));
  const isOf = ({ code, check }: MergedFinding, kinds = new Set<string>()): boolean =>
    kinds.has(code) || kinds.has(check);
  return (a, b) => isOf(a, roots) && isOf(b, symptoms) && where(a, b) && also(a, b);
}

export const anywhere: Explains = () => true;

/** `/aiagent` of `PUT /aiagent/{id}`. */
export function collectionIn(operation: string): string {
  return operation.replace(/^\S+ /, '').replace(/\/\{[^{}]+\}$/, '');
}

export const haveOneCode: Explains = (root, symptom) => root.code === symptom.code;

export const haveOneStatus: Explains = (root, symptom) => lastStatus(root) === lastStatus(symptom);

export const isOnOne: Explains = (root, symptom) => root.operation === symptom.operation;

/** The second operation is about an item of the first one's collection, or about a part of such an item. */
export const isInFamily: Explains = (root, symptom) =>
  `${collectionIn(symptom.operation)}/`.startsWith(`${collectionIn(root.operation)}/`);

/** The second operation is about a part of an item of the list that the first one reads, whatever the parameters are called. */
export const isBelow: Explains = (root, symptom) =>
  withoutNames(symptom.operation).startsWith(`${withoutNames(root.operation)}/`);

const withoutNames = (operation: string): string => operation.replace(/^\S+ /, '').replaceAll(/\{[^{}]+\}/g, '{}');

export const isInOne: Explains = (root, symptom) => collectionIn(root.operation) === collectionIn(symptom.operation);

/** Names of members and parameters in a subject: `filterActive` of `?filterActive`. */
export function namedIn({ subject = '' }: MergedFinding): readonly string[] {
  return subject.split(' ').flatMap((word) => (word === '' ? [] : [word.replace(/^[?/]/, '')]));
}

/** The second finding is about parts of the member that the first one names. */
export const isOfMember: Explains = ({ subject }, symptom) =>
  subject !== undefined && namedIn(symptom).some((name) => name.split('/', 1)[0] === subject);

const topOf = (name: string): string => name.replace(/^\//, '').split('/', 1)[0] ?? '';

export const sentType = ({ steps }: MergedFinding): string | undefined => steps.at(-1)?.request.headers['content-type'];

/** Names of the members of a body in a subject. */
const membersIn = (finding: MergedFinding): readonly string[] =>
  namedIn(finding)
    .filter((name) => name !== codes.SEVERAL_MEMBERS)
    .map(topOf);

type Kind = 'text' | 'list' | 'map' | 'other';

const KINDS: Readonly<Record<string, Kind>> = { '"': 'text', '[': 'list', '{': 'map' };

/** What was sent for a member, by the first character of its value: a shown body may be cut. */
function kindOf({ steps }: MergedFinding, member: string): Kind | undefined {
  const key = `${JSON.stringify(member)}:`;
  const body = steps.findLast(({ request }) => request.body?.includes(key) === true)?.request.body ?? '';
  const first = body === '' ? '' : body.slice(body.indexOf(key) + key.length).trimStart();
  return first === '' ? undefined : (KINDS[first.charAt(0)] ?? 'other');
}

/** Both findings name the same member of a body, or members of the same kind, which are probably stored by the same code. */
export const concernsLikeMember: Explains = (root, symptom) => {
  const [own, others] = [membersIn(root), membersIn(symptom)];
  if (own.some((name) => others.includes(name))) return true;
  const kinds = new Set(own.flatMap((name) => kindOf(root, name) ?? []));
  return others.some((name) => {
    const kind = kindOf(symptom, name);
    return kind !== undefined && kinds.has(kind);
  });
};

/** The text of a scalar member in the last body, which may be cut; all blank strings count as one. */
function scalarIn({ steps }: MergedFinding, member: string): string | undefined {
  const [, after] = (steps.at(-1)?.request.body ?? '').split(`${JSON.stringify(member)}:`, 2);
  const text = /^\s*("(?:[^"\\]|\\.)*"|[^[{",}\]\s]+)/u.exec(after ?? '')?.[1];
  return text?.replace(/^"\s+"$/u, '""');
}

/** Both requests have the same value for the only member that the first finding names. */
export const haveSameValue: Explains = (root, symptom) => {
  const [member, ...others] = namedIn(root).slice(1);
  const value = member === undefined || others.length > 0 ? undefined : scalarIn(root, member);
  return member !== undefined && value !== undefined && value === scalarIn(symptom, member);
};

const BY_METHOD: Readonly<Record<string, string>> = { PUT: 'update', DELETE: 'delete', PATCH: 'patch', POST: 'create' };

export const isOfOneApi: Explains = (root, symptom) =>
  root.operation.split('/')[1] !== undefined && root.operation.split('/')[1] === symptom.operation.split('/')[1];

/** What is stored wrongly only with unusual values, or members that are no texts: overlapping calls send plain texts. */
export const isOfUnusualValue = (finding: MergedFinding): boolean =>
  areAllOf(finding, 'properties') ||
  (codes.STORAGE.includes(finding.check) &&
    membersIn(finding).some((name) => ['list', 'map'].includes(kindOf(finding, name) ?? '')));

/** The operation of the first finding is one of the overlapping calls, as `activate` is of `set-order+activate`. */
export const overlapsWith: Explains = (root, symptom) => {
  const [method = '', path = ''] = root.operation.split(' ');
  const last = path.split('/').at(-1) ?? '';
  const action = path.split('/').length > 2 && !last.startsWith('{') ? last : BY_METHOD[method];
  return isOfOneApi(root, symptom) && (symptom.subject ?? '').split(/[+|]/).includes(action ?? '');
};

/** True where only tests of these suites reported the finding: of `contract/paging`, or of `contract`. */
export const areAllOf = ({ tests }: MergedFinding, suites: string): boolean =>
  tests.length > 0 && tests.every((test) => [`${suites}/`, `${suites} > `].some((start) => test.startsWith(start)));

/** A server error of a generated request, of which is not known what matters in it. */
export const isUnspecific = (finding: MergedFinding): boolean =>
  finding.code === 'no-server-error/status' &&
  finding.subject?.includes(' ') !== true &&
  areAllOf(finding, 'properties');

/** A server error that only a request of a sequence shows, or an unusual token: it says nothing about other requests. */
export const isOfSpecialRequest = (finding: MergedFinding): boolean =>
  finding.code === 'no-server-error/status' &&
  (areAllOf(finding, 'state') || areAllOf(finding, 'contract/authentication'));

/** The finding is about the processing order, or about a list that overlapping calls left incomplete. */
export const isAboutOrder = ({ check, code }: MergedFinding): boolean =>
  check === 'processing-order' || code === 'overlap/order-mixed' || code === 'overlap/list-incomplete';

export const isOfSpecialId = ({ subject = '' }: MergedFinding): boolean =>
  codes.SPECIAL_IDS.some((kind) => subject.startsWith(`${kind} `));

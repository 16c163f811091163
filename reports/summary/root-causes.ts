import { affectsOtherTests, isOfGateway } from '../../spec/index.ts';
import * as codes from './cause-codes.ts';
import { isOfEndpoint, isOfGatewayAtTimes, lastStatus, wasRefused } from './statuses.ts';
import type { MergedFinding } from './types.ts';

/** True if both findings probably have the same cause, and the first shows it better. */
type Explains = (root: MergedFinding, symptom: MergedFinding) => boolean;

/** `/aiagent` of `PUT /aiagent/{id}`. */
export function collectionOf(operation: string): string {
  return operation.replace(/^\S+ /, '').replace(/\/\{[^{}]+\}$/, '');
}

const isOnOne: Explains = (root, symptom) => root.operation === symptom.operation;

/** The second operation is about an item of the first one's collection, or about a part of such an item. */
const isInFamily: Explains = (root, symptom) =>
  `${collectionOf(symptom.operation)}/`.startsWith(`${collectionOf(root.operation)}/`);

/** The second operation is about a part of an item of the list that the first one reads, whatever the parameters are called. */
const isBelow: Explains = (root, symptom) =>
  withoutNames(symptom.operation).startsWith(`${withoutNames(root.operation)}/`);

const withoutNames = (operation: string): string => operation.replace(/^\S+ /, '').replaceAll(/\{[^{}]+\}/g, '{}');

const isInOne: Explains = (root, symptom) => collectionOf(root.operation) === collectionOf(symptom.operation);

/** Names of members and parameters in a subject: `filterActive` of `?filterActive`. */
function namesIn({ subject = '' }: MergedFinding): readonly string[] {
  return subject.split(' ').flatMap((word) => (word === '' ? [] : [word.replace(/^[?/]/, '')]));
}

/** The second finding is about parts of the member that the first one names. */
const isOfMember: Explains = ({ subject }, symptom) =>
  subject !== undefined && namesIn(symptom).some((name) => name.split('/', 1)[0] === subject);

const BY_METHOD: Readonly<Record<string, string>> = { PUT: 'update', DELETE: 'delete', PATCH: 'patch', POST: 'create' };

const isOfOneApi: Explains = (root, symptom) =>
  root.operation.split('/')[1] !== undefined && root.operation.split('/')[1] === symptom.operation.split('/')[1];

/** The operation of the first finding is one of the overlapping calls, as `activate` is of `set-order+activate`. */
const overlapsWith: Explains = (root, symptom) => {
  const [method = '', path = ''] = root.operation.split(' ');
  const last = path.split('/').at(-1) ?? '';
  const action = path.split('/').length > 2 && !last.startsWith('{') ? last : BY_METHOD[method];
  return isOfOneApi(root, symptom) && (symptom.subject ?? '').split(/[+|]/).includes(action ?? '');
};

/** Rules by the situation that they describe. */
const RULES: Readonly<Record<string, Explains>> = {
  'items that pages lose are not found elsewhere': (root, symptom) =>
    isOnOne(root, symptom) &&
    codes.PAGE_ROOTS.includes(root.check) &&
    (codes.EXPLAINED_BY_PAGES.includes(symptom.check) || codes.EXPLAINED_BY_PAGES.includes(symptom.code)),

  'an id of the path is ignored': (root, symptom) =>
    isOnOne(root, symptom) &&
    codes.IGNORED_ID.includes(root.code) &&
    codes.IGNORED_ID.indexOf(root.code) < codes.IGNORED_ID.indexOf(symptom.code),

  'a read that returns another item': (root, symptom) =>
    root.code === 'own-id/other' &&
    ((isOnOne(root, symptom) && codes.OF_READS.includes(symptom.check)) ||
      (isInOne(root, symptom) && codes.SINGLE_CHANGES.includes(symptom.check))),

  'what happens only beside other calls': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    symptom.recurred === false &&
    affectsOtherTests(root.code) &&
    !(root.code === 'own-id/other' && root.recurred !== false),

  'an id that two creations returned': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    codes.SAME_ID.includes(root.code) &&
    !codes.SAME_ID.includes(symptom.code) &&
    symptom.sharedId === true &&
    symptom.recurred !== true,

  'a list below an item that shows those of other items': (root, symptom) =>
    root.code === 'job-ownership/other-job' &&
    !root.operation.endsWith('}') &&
    ((isOnOne(root, symptom) && codes.OF_LISTS.includes(symptom.check)) ||
      (root.requirement === 'runs.list' && ['job-runs', 'dry-run'].includes(symptom.check)) ||
      (isBelow(root, symptom) && symptom.check === 'valid-request-served' && lastStatus(symptom) === 404)),

  'a bulk approval that reaches other jobs': (root, symptom) =>
    root.code === 'approvals/other-job' && symptom.check === 'approvals' && symptom.code !== root.code,

  'the same, with more parameters or members': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === symptom.code &&
    root.severity === symptom.severity &&
    namesIn(root).every((name) => namesIn(symptom).some((each) => each === name || each.startsWith(`${name}/`))),

  'what happened only sometimes in one test, and always in another': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === symptom.code &&
    symptom.subject === `${root.subject ?? ''} intermittent`.trim(),

  'values are lost whatever they are': (root, symptom) =>
    isOnOne(root, symptom) &&
    codes.STORED.includes(root.check) &&
    root.check === symptom.check &&
    root.fails &&
    (!symptom.fails ||
      namesIn(symptom).includes(codes.SEVERAL_MEMBERS) ||
      (root.code === symptom.code && namesIn(root).includes(codes.SEVERAL_MEMBERS))),

  'a read that shows what was stored before': (root, symptom) =>
    isInOne(root, symptom) &&
    root.fails &&
    root.check === 'updated-reads-back' &&
    root.operation.startsWith('GET ') &&
    root.operation.endsWith('}') &&
    codes.CHANGED.includes(symptom.check),

  'a list that shows what was stored before': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'updated-reads-back/listed-member' &&
    root.operation.startsWith('GET ') &&
    (symptom.code === root.code ||
      symptom.code === 'refused-changes-nothing/changed-data' ||
      symptom.check === 'ordering'),

  'an item that one form does not show': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'form-shared-state/created-not-readable' &&
    (symptom.code.endsWith('/not-readable') ||
      (isOnOne(root, symptom) && symptom.forms.length < 2 && /\b404\b/.test(symptom.subject ?? ''))),

  'a read that finds no item, through any form': (root, symptom) =>
    isInOne(root, symptom) &&
    root.check === 'valid-request-served' &&
    /^GET .*\}$/u.test(root.operation) &&
    root.forms.length > 1 &&
    lastStatus(root) === 404 &&
    codes.READ_AGAIN.includes(symptom.check) &&
    symptom.steps.some(({ request, response }) => request.method === 'GET' && response?.status === 404),

  'an item that no page shows': (root, symptom) =>
    isInOne(root, symptom) &&
    codes.PAGE_ROOTS.includes(root.check) &&
    symptom.code === 'overlap/lost-update' &&
    symptom.subject === 'create',

  'one cause for each operation': (root, symptom) =>
    isOnOne(root, symptom) && root.code === symptom.code && codes.ONE_PER_OPERATION.includes(root.code),

  'a refused patch that stays in part': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'json-patch/not-atomic' &&
    symptom.code === root.code &&
    wasRefused(root) &&
    wasRefused(symptom),

  'an item that a request without a valid token removed': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'authentication/accepted' &&
    symptom.check === 'authentication' &&
    lastStatus(symptom) === 404,

  'a kind of patch': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.check === 'json-patch' &&
    symptom.check === 'json-patch' &&
    root.subject === symptom.subject,

  'a change that fails also alone': (root, symptom) =>
    codes.SINGLE_CHANGES.includes(root.check) &&
    ((symptom.check === 'overlap' &&
      root.recurred !== false &&
      (isOnOne(root, symptom) || overlapsWith(root, symptom))) ||
      (symptom.check === 'model-conformance' && isInOne(root, symptom)) ||
      (symptom.check === 'audit-log' && symptom.subject === root.operation)),

  'a state that overlapping calls left': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'overlap/not-linearizable' &&
    !root.operation.startsWith('GET ') &&
    symptom.code === 'overlap/read',

  'overlapping calls of all kinds': (root, symptom) =>
    isOfOneApi(root, symptom) &&
    root.check === 'overlap' &&
    root.subject !== symptom.subject &&
    symptom.check === 'overlap' &&
    symptom.subject === 'stress',

  'a deletion that removes nothing': (root, symptom) =>
    isInFamily(root, symptom) &&
    ((root.code === 'deleted-is-gone/readable' && symptom.check === 'deleted-is-gone') ||
      (root.check === 'deleted-is-gone' && symptom.code === 'filters/wrongly-found')),

  'a change that is not made where it should be refused': (root, symptom) =>
    isOnOne(root, symptom) &&
    codes.SINGLE_CHANGES.includes(root.check) &&
    // A value that is stored otherwise says nothing about one that should be refused.
    !root.check.endsWith('reads-back') &&
    symptom.code === 'published-behaviour/accepted',

  'a filter by a state that was not set': (root, symptom) =>
    root.check === 'activation' &&
    symptom.check === 'filters' &&
    /active/i.test(symptom.subject ?? '') &&
    root.operation.includes(`${collectionOf(symptom.operation)}/`),

  'what an item and a list show': (root, symptom) =>
    isInOne(root, symptom) &&
    (root.subject === symptom.subject || root.check !== symptom.check || isOfMember(root, symptom)) &&
    codes.PAIRS.some(([first, second]) => root.code === first && symptom.code === second),

  'an item without its name is not found': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'created-reads-back/member' &&
    namesIn(root).includes('name') &&
    codes.WITHOUT_NAME.includes(symptom.code),

  'a media type that is refused, also of another body': (root, symptom) =>
    isOnOne(root, symptom) && root.code === 'request-media-types/refused' && symptom.code === 'equal-json/status',

  'a page in place of JSON': (root, symptom) =>
    isOnOne(root, symptom) && root.code === 'content-type-offered/media-type' && symptom.check === 'json-well-formed',

  'a page in place of a refusal': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'authentication/accepted' &&
    codes.EXCHANGE_CHECKS.includes(symptom.check) &&
    symptom.steps.every(({ identity }) => identity !== 'full'),

  'an answer that cannot be read': (root, symptom) =>
    isInOne(root, symptom) && root.check === 'json-well-formed' && codes.EXPLAINED_BY_MALFORMED.includes(symptom.check),

  'a body that only one form answers otherwise': (root, symptom) =>
    isOnOne(root, symptom) && root.code === 'body-fits-schema/mismatch' && symptom.code === 'form-equivalence/shape',

  'a success with another status in one form': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'status-documented/status' &&
    (root.subject ?? '').startsWith('2') &&
    symptom.code === 'form-equivalence/status' &&
    (symptom.subject ?? '').startsWith('success-success'),

  'an item that is not shown because the read is answered otherwise': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'status-documented/status' &&
    root.operation.startsWith('GET ') &&
    !(root.subject ?? '').startsWith('2') &&
    symptom.code.endsWith('/not-readable'),

  'a token that is not accepted': (root, symptom) => {
    const [status] = (root.subject ?? '').split(' ');
    return (
      root.code === 'valid-request-served/refused' &&
      (status === '401' || status === '403') &&
      symptom.steps.some(({ identity, response }) => identity === 'full' && String(response?.status) === status)
    );
  },

  'an operation that needs no token': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'valid-request-served/without-token' &&
    symptom.code === 'valid-request-served/refused' &&
    lastStatus(root) === lastStatus(symptom),

  'an answer of a gateway that comes now and then': (root, symptom) =>
    isOfGatewayAtTimes(root) && !isOfGatewayAtTimes(symptom) && isOfGateway(lastStatus(symptom)),

  'a status that the full token gets as well': (root, symptom) =>
    isOnOne(root, symptom) &&
    isOfEndpoint(symptom) &&
    codes.REFUSED.includes(root.code) &&
    lastStatus(root) === lastStatus(symptom),

  'valid requests that are refused, whatever they are': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'valid-request-served/refused' &&
    /^\d+$/.test(root.subject ?? '') &&
    (symptom.check === 'overlap' ||
      (codes.WITH_A_STATUS.includes(symptom.code) &&
        (symptom.subject ?? '').split(/[ -]/).includes(root.subject ?? ''))),

  'an answer that is no success shows nothing else': (root, symptom) =>
    isOnOne(root, symptom) && codes.NO_SUCCESS.includes(root.check) && symptom.check === 'published-behaviour',
};

/** True if the first finding probably explains the second. A known finding explains no new one. */
export function explains(root: MergedFinding, symptom: MergedFinding): boolean {
  if (symptom.fails && !root.fails) return false;
  return root.fingerprint === symptom.cause || Object.values(RULES).some((rule) => rule(root, symptom));
}

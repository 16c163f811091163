import { affectsOtherTests } from '../../spec/index.ts';
import * as codes from './cause-codes.ts';
import {
  areAllOf,
  isAboutOrder,
  isBelow,
  isInFamily,
  isInOne,
  isOfMember,
  isOfOneApi,
  isOfSpecialId,
  isOfSpecialRequest,
  isOfUnusualValue,
  isOnOne,
  isUnspecific,
  namedIn,
  overlapsWith,
  concernsLikeMember,
} from './relations.ts';
import { FILTER_RULES } from './filter-rules.ts';
import { FORM_RULES } from './form-rules.ts';
import { LATE_RULES } from './late-rules.ts';
import { PATCH_RULES } from './patch-rules.ts';
import { STATUS_RULES } from './status-rules.ts';
import type { Explains } from './relations.ts';
import { hasRefusal, lastStatus } from './statuses.ts';
import type { MergedFinding } from './types.ts';

/** Rules by the situation that they describe. */
const RULES: Readonly<Record<string, Explains>> = {
  'items that pages lose are not found elsewhere': (root, symptom) =>
    isOnOne(root, symptom) &&
    codes.PAGE_ROOTS.includes(root.check) &&
    !(root.code === 'paging-partition/items-lost' && symptom.code === 'paging-partition/order') &&
    !(root.code === 'paging-partition/order' && symptom.code === 'paging-partition/item-twice') &&
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
    (root.code !== 'overlap/order-mixed' || isAboutOrder(symptom)) &&
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
    (root.severity === symptom.severity ||
      (root.fails && codes.STORAGE.includes(root.check) && root.subject === symptom.subject)) &&
    !isUnspecific(root) &&
    !isOfSpecialRequest(root) &&
    namedIn(root).every((name) => namedIn(symptom).some((each) => each === name || each.startsWith(`${name}/`))),

  'what happened only sometimes in one test, and always in another': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === symptom.code &&
    symptom.subject === `${root.subject ?? ''} intermittent`.trim(),

  'plain values are lost, and so are those of unusual items': (root, symptom) =>
    isOnOne(root, symptom) &&
    codes.STORAGE.includes(root.check) &&
    root.check === symptom.check &&
    root.fails &&
    !codes.OTHERWISE_STORED.includes(symptom.code) &&
    (root.subject === undefined || (root.code === symptom.code && concernsLikeMember(root, symptom))) &&
    [root, symptom].some((each) => namedIn(each).includes(codes.SEVERAL_MEMBERS)),

  'texts of several members that are cleaned up': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === symptom.code &&
    codes.OTHERWISE_STORED.includes(root.code) &&
    concernsLikeMember(root, symptom),

  'a read that shows what was stored before': (root, symptom) =>
    isInOne(root, symptom) &&
    root.fails &&
    codes.CHANGED.includes(root.check) &&
    /^GET .*\}$/u.test(root.operation) &&
    // Where the writer is blamed, other reads had shown the same, except for generated requests.
    !(
      symptom.check === root.check &&
      symptom.recurred === true &&
      !symptom.operation.startsWith('GET ') &&
      !areAllOf(symptom, 'properties')
    ) &&
    // A patch that another form shows wrongly as well is no stale read.
    (root.check !== 'json-patch' || symptom.forms.every((form) => root.forms.includes(form))) &&
    codes.CHANGED.includes(symptom.check),

  'a list that shows what was stored before': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'updated-reads-back/listed-member' &&
    root.operation.startsWith('GET ') &&
    (symptom.code === root.code ||
      symptom.code === 'refused-changes-nothing/changed-data' ||
      symptom.check === 'ordering'),

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

  'an unknown id that is answered wrongly, and so are the ids of special kinds and, where none is served, of other parameters':
    (root, symptom) =>
      isOnOne(root, symptom) &&
      root.code === 'unknown-id/status' &&
      symptom.code === root.code &&
      symptom.subject?.split(' ').at(-1) === root.subject?.split(' ').at(-1) &&
      (lastStatus(root) !== 200 || isOfSpecialId(symptom)) &&
      !isOfSpecialId(root),

  'a check of tokens that is missing, or lets any token pass': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'authentication/accepted' &&
    symptom.code === root.code &&
    (root.subject === codes.NO_TOKEN ||
      (root.subject === codes.ANY_TOKEN && symptom.subject !== codes.NO_TOKEN) ||
      (root.subject === codes.NO_VALUE && ![codes.NO_TOKEN, codes.ANY_TOKEN].includes(symptom.subject ?? ''))),

  'an item that a request without a valid token removed': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'authentication/accepted' &&
    symptom.check === 'authentication' &&
    lastStatus(symptom) === 404,

  'an order that one form shows otherwise': (root, symptom) =>
    root.code === 'form-equivalence/body' &&
    symptom.check === 'processing-order' &&
    symptom.steps.at(-1)?.operation === root.operation,

  'an order that is not returned as it was set, and then after other changes': (root, symptom) =>
    codes.SET_ORDER.includes(root.code) &&
    root.operation !== symptom.operation &&
    symptom.check === 'processing-order' &&
    symptom.steps.some(({ operation }) => operation === root.operation),

  'a server error whose request other findings explain': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === symptom.code &&
    (isUnspecific(symptom) || namedIn(symptom)[1] === codes.SEVERAL_MEMBERS) &&
    ![undefined, codes.SEVERAL_MEMBERS].includes(namedIn(root)[1]) &&
    namedIn(root)[0] === namedIn(symptom)[0],

  'a change that fails also alone': (root, symptom) =>
    (codes.SINGLE_CHANGES.includes(root.check) &&
      ((symptom.check === 'model-conformance' &&
        symptom.code !== 'model-conformance/not-lasting' &&
        isInOne(root, symptom) &&
        // Whether an item is active does not depend on the values of its members.
        !(codes.STORAGE.includes(root.check) && codes.WRONG_STATES.flat().includes(symptom.subject ?? ''))) ||
        (symptom.check === 'audit-log' && symptom.subject === root.operation))) ||
    (codes.ALONE.includes(root.check) &&
      symptom.check === 'overlap' &&
      symptom.code !== 'overlap/other-response' &&
      (symptom.code !== 'overlap/order-mixed' || isAboutOrder(root)) &&
      root.recurred !== false &&
      !isOfUnusualValue(root) &&
      !codes.OF_REFUSALS.includes(root.code) &&
      (root.check !== 'refused-changes-nothing' || hasRefusal(symptom)) &&
      (isOnOne(root, symptom) ||
        overlapsWith(root, symptom) ||
        (root.code.endsWith('/listed-member') && symptom.steps.at(-1)?.operation === root.operation))),

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
      (root.check === 'deleted-is-gone' &&
        root.code !== 'deleted-is-gone/other-item' &&
        symptom.code === 'filters/wrongly-found' &&
        symptom.steps.some(({ request }) => request.method === 'DELETE'))),

  'a change that is not made where it should be refused': (root, symptom) =>
    isOnOne(root, symptom) &&
    codes.SINGLE_CHANGES.includes(root.check) &&
    // A value that is stored otherwise says nothing about one that should be refused.
    !root.check.endsWith('reads-back') &&
    // Nor does the answer to an id of nothing.
    !codes.IGNORED_ID.includes(root.code) &&
    symptom.code === 'published-behaviour/accepted',

  'what an item and a list show': (root, symptom) =>
    isInOne(root, symptom) &&
    (root.subject === symptom.subject || root.check !== symptom.check || isOfMember(root, symptom)) &&
    codes.PAIRS.some(([first, second]) => root.code === first && symptom.code === second),

  'an item that the list does not show, whatever it is read for': (root, symptom) =>
    root.code === 'created-reads-back/not-listed' &&
    codes.NOT_SHOWN.includes(symptom.code) &&
    symptom.steps.at(-1)?.operation === root.operation,

  'a created item that is not readable, whichever operation is to blame': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'created-reads-back/not-readable' &&
    symptom.code === root.code &&
    root.operation.startsWith('POST ') &&
    symptom.operation.startsWith('GET '),

  'a state that the list of active items shows, and so does the one of inactive items': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'model-conformance/state' &&
    symptom.code === root.code &&
    codes.WRONG_STATES.some((states) => [root, symptom].every(({ subject = '' }) => states.includes(subject))),

  'an item without its name is not found': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'created-reads-back/member' &&
    namedIn(root).includes('name') &&
    codes.WITHOUT_NAME.includes(symptom.code),

  'a page in place of JSON': (root, symptom) =>
    isOnOne(root, symptom) && root.code === 'content-type-offered/media-type' && symptom.check === 'json-well-formed',

  'a page in place of a refusal': (root, symptom) =>
    isOnOne(root, symptom) &&
    root.code === 'authentication/accepted' &&
    codes.BODY_CHECKS.includes(symptom.check) &&
    symptom.steps.every(({ identity }) => identity !== 'full'),

  'an answer that cannot be read': (root, symptom) =>
    isInOne(root, symptom) &&
    root.check === 'json-well-formed' &&
    codes.EXPLAINED_BY_MALFORMED.includes(symptom.check) &&
    (isOnOne(root, symptom) ||
      (symptom.check !== 'form-equivalence' && symptom.steps.some(({ operation }) => operation === root.operation))),

  'an item that is not shown because the read is answered otherwise': (root, symptom) =>
    isInOne(root, symptom) &&
    root.code === 'status-documented/status' &&
    root.operation.startsWith('GET ') &&
    !(root.subject ?? '').startsWith('2') &&
    symptom.code.endsWith('/not-readable'),

  ...FILTER_RULES,
  ...FORM_RULES,
  ...LATE_RULES,
  ...PATCH_RULES,
  ...STATUS_RULES,
};

/** True if the first finding probably explains the second. A known finding explains no new one. */
export function explains(root: MergedFinding, symptom: MergedFinding): boolean {
  if (symptom.fails && !root.fails) return false;
  return root.fingerprint === symptom.cause || Object.values(RULES).some((rule) => rule(root, symptom));
}

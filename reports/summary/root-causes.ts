import { affectsOtherTests } from '../../spec/index.ts';
import type { ShownExchange } from '../../spec/index.ts';
import * as codes from './cause-codes.ts';
import {
  anywhere,
  areAllOf,
  haveOneCode,
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
  rule,
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

/** The last parameter of a path may select a kind of items: `/results/{type}` is a list, as its requirement says. */
const isOfList: Explains = ({ operation, requirement }) => !operation.endsWith('}') || requirement.endsWith('.list');

const isReadOfItem = ({ operation }: MergedFinding): boolean => /^GET .*\}$/u.test(operation);

/** The operation of the first finding is the last call of the second one. */
const isLastRead: Explains = ({ operation }, { steps }) => steps.at(-1)?.operation === operation;

/** The operation of the first finding is one of the calls of the second one. */
const isCalledIn: Explains = ({ operation }, { steps }) => steps.some((step) => step.operation === operation);

const RULES: readonly Explains[] = [
  // Items that pages lose are not found elsewhere.
  rule(isOnOne, codes.PAGE_ROOTS, codes.EXPLAINED_BY_PAGES, (root, symptom) => {
    const isReversed =
      (root.code === 'paging-partition/items-lost' && symptom.code === 'paging-partition/order') ||
      (root.code === 'paging-partition/order' && symptom.code === 'paging-partition/item-twice');
    return !isReversed;
  }),
  // Pages that are sorted each for itself.
  rule(isOnOne, 'ordering/order-by', ['ordering/order-asc', 'paging-partition/order'], ({ subject }) => {
    return subject === codes.OF_PAGES_TOGETHER;
  }),
  // An id of the path is ignored.
  rule(
    isOnOne,
    codes.IGNORED_ID,
    codes.IGNORED_ID,
    (root, symptom) => codes.IGNORED_ID.indexOf(root.code) < codes.IGNORED_ID.indexOf(symptom.code),
  ),
  // Ids that are no uuids, in a list and in its items.
  rule(isBelow, 'own-id/format', 'body-fits-schema/mismatch', (_, { subject }) => subject === '/id format'),
  // A read that returns another item.
  rule(isOnOne, 'own-id/other', codes.OF_READS),
  rule(isInOne, 'own-id/other', codes.SINGLE_CHANGES),
  // What happens only beside other calls.
  (root, symptom) =>
    isOfOneApi(root, symptom) &&
    symptom.recurred === false &&
    affectsOtherTests(root.code) &&
    (root.code !== 'overlap/order-mixed' || isAboutOrder(symptom)) &&
    !(root.code === 'own-id/other' && root.recurred !== false),
  // An id that two creations returned.
  (root, symptom) =>
    isOfOneApi(root, symptom) &&
    codes.SAME_ID.includes(root.code) &&
    !codes.SAME_ID.includes(symptom.code) &&
    symptom.sharedId === true &&
    symptom.recurred !== true,
  // A list below an item that shows those of other items.
  rule(isOnOne, 'job-ownership/other-job', codes.OF_LISTS, (root, symptom) => {
    // Such a list grows with other jobs; what its first page or the default size is does not depend on that.
    return isOfList(root, symptom) && !(codes.OF_PAGE_RULES.includes(symptom.check) && symptom.recurred === true);
  }),
  rule(anywhere, 'job-ownership/other-job', ['job-runs', 'dry-run'], (root, symptom) => {
    return isOfList(root, symptom) && root.requirement === 'runs.list';
  }),
  rule(isBelow, 'job-ownership/other-job', ['valid-request-served', 'job-ownership/not-readable'], (root, symptom) => {
    return isOfList(root, symptom) && lastStatus(symptom) === 404;
  }),
  rule(isBelow, 'job-ownership/other-job', 'approvals', isOfList),
  // A bulk approval that reaches other jobs.
  rule(anywhere, 'approvals/other-job', 'approvals', (root, symptom) => !haveOneCode(root, symptom)),
  // The same, with more parameters or members.
  (root, symptom) =>
    isOnOne(root, symptom) &&
    haveOneCode(root, symptom) &&
    (root.severity === symptom.severity ||
      (root.fails && codes.STORAGE.includes(root.check) && root.subject === symptom.subject)) &&
    !isUnspecific(root) &&
    !isOfSpecialRequest(root) &&
    namedIn(root).every((name) => namedIn(symptom).some((each) => each === name || each.startsWith(`${name}/`))),
  // What happened only sometimes in one test, and always in another.
  (root, symptom) =>
    isOnOne(root, symptom) &&
    haveOneCode(root, symptom) &&
    symptom.subject === `${root.subject ?? ''} intermittent`.trim(),
  // Plain values are lost, and so are those of unusual items.
  rule(isOnOne, codes.STORAGE, codes.STORAGE, (root, symptom) => {
    const isOfMembers = haveOneCode(root, symptom) && concernsLikeMember(root, symptom);
    return (
      root.check === symptom.check &&
      root.fails &&
      !codes.OTHERWISE_STORED.includes(symptom.code) &&
      (root.subject === undefined || isOfMembers) &&
      [root, symptom].some((each) => namedIn(each).includes(codes.SEVERAL_MEMBERS))
    );
  }),
  // Texts of several members that are cleaned up.
  rule(isOnOne, codes.OTHERWISE_STORED, codes.OTHERWISE_STORED, (root, symptom) => {
    return haveOneCode(root, symptom) && concernsLikeMember(root, symptom);
  }),
  // A read that shows what was stored before.
  rule(isInOne, codes.CHANGED, codes.CHANGED, (root, symptom) => {
    // Where the writer is blamed, other reads had shown the same, except for generated requests.
    const isOfWriter =
      symptom.check === root.check &&
      symptom.recurred === true &&
      !symptom.operation.startsWith('GET ') &&
      !areAllOf(symptom, 'properties');
    // A patch that another form shows wrongly as well is no stale read.
    const isOfForms = root.check === 'json-patch' && !symptom.forms.every((form) => root.forms.includes(form));
    return root.fails && isReadOfItem(root) && !isOfWriter && !isOfForms;
  }),
  // A list that shows another state than the item.
  rule(isInOne, codes.LISTED_STATES, 'activation/state-member', ({ operation }) => operation.startsWith('GET ')),
  // A list that shows what was stored before.
  rule(
    isInOne,
    'updated-reads-back/listed-member',
    ['updated-reads-back/listed-member', 'refused-changes-nothing/changed-data', 'ordering'],
    ({ operation }) => operation.startsWith('GET '),
  ),
  // A read that finds no item, through any form.
  rule(isInOne, 'valid-request-served', codes.READ_AGAIN, (root, symptom) => {
    const isFoundByNone = isReadOfItem(root) && root.forms.length > 1 && lastStatus(root) === 404;
    const isMissed = ({ request, response }: ShownExchange): boolean =>
      request.method === 'GET' && response?.status === 404;
    return isFoundByNone && symptom.steps.some(isMissed);
  }),
  // An item that no page shows, or no list.
  rule(isInOne, [...codes.PAGE_ROOTS, 'created-reads-back/not-listed'], 'overlap/lost-update', (_, { subject }) => {
    return subject === 'create';
  }),
  // One cause for each operation.
  rule(isOnOne, codes.ONE_PER_OPERATION, codes.ONE_PER_OPERATION, haveOneCode),
  // An unknown id that is answered wrongly, and so are the ids of special kinds and, where none is served, of other parameters.
  rule(isOnOne, 'unknown-id/status', 'unknown-id/status', (root, symptom) => {
    const haveOneKind = symptom.subject?.split(' ').at(-1) === root.subject?.split(' ').at(-1);
    return haveOneKind && (lastStatus(root) !== 200 || isOfSpecialId(symptom)) && !isOfSpecialId(root);
  }),
  // A check of tokens that is missing, or lets any token pass.
  rule(
    isOnOne,
    'authentication/accepted',
    'authentication/accepted',
    (root, symptom) =>
      root.subject === codes.NO_TOKEN ||
      (root.subject === codes.ANY_TOKEN && symptom.subject !== codes.NO_TOKEN) ||
      (root.subject === codes.NO_VALUE && ![codes.NO_TOKEN, codes.ANY_TOKEN].includes(symptom.subject ?? '')),
  ),
  // A token of which only a part is compared.
  rule(anywhere, 'authentication/accepted', 'authentication/accepted', (root, symptom) => {
    return root.subject === codes.SHORTER_TOKEN && symptom.subject === codes.LONGER_TOKEN;
  }),
  // A token that is accepted, and a request that is then refused for another reason.
  rule(anywhere, 'authentication/accepted', 'authentication/status', (root, symptom) => {
    const isOfToken = [401, 403].includes(lastStatus(symptom)) || lastStatus(symptom) >= 500;
    return !isOfToken && namedIn(symptom)[0] === root.subject;
  }),
  // An item that a request without a valid token removed.
  rule(isOnOne, 'authentication/accepted', 'authentication', (_, symptom) => lastStatus(symptom) === 404),
  // An order that one form shows otherwise.
  rule(isLastRead, 'form-equivalence/body', 'processing-order'),
  // An order that is not returned as it was set, and then after other changes.
  rule(anywhere, codes.SET_ORDER, 'processing-order', (root, symptom) => {
    return !isOnOne(root, symptom) && isCalledIn(root, symptom);
  }),
  // A server error, or another finding of several members, whose request other findings explain.
  (root, symptom) => {
    const [[status, member], [other, more]] = [namedIn(root), namedIn(symptom)];
    const isNamed = member !== undefined && member !== codes.SEVERAL_MEMBERS;
    const isOpen = isUnspecific(symptom) || more === codes.SEVERAL_MEMBERS;
    return isOnOne(root, symptom) && haveOneCode(root, symptom) && isOpen && isNamed && status === other;
  },
  // A change that fails also alone. Whether an item is active does not depend on the values of its members.
  rule(isInOne, codes.SINGLE_CHANGES, 'model-conformance', (root, { code, subject = '' }) => {
    const isState = codes.STORAGE.includes(root.check) && codes.WRONG_STATES.flat().includes(subject);
    return code !== 'model-conformance/not-lasting' && !isState;
  }),
  rule(anywhere, codes.SINGLE_CHANGES, 'audit-log', ({ operation }, { subject }) => subject === operation),
  rule(
    anywhere,
    codes.ALONE,
    'overlap',
    (root, symptom) =>
      symptom.code !== 'overlap/other-response' &&
      (symptom.code !== 'overlap/order-mixed' || isAboutOrder(root)) &&
      root.recurred !== false &&
      !isOfUnusualValue(root) &&
      !codes.OF_REFUSALS.includes(root.code) &&
      (root.check !== 'refused-changes-nothing' || hasRefusal(symptom)) &&
      (isOnOne(root, symptom) ||
        overlapsWith(root, symptom) ||
        (root.code.endsWith('/listed-member') && isLastRead(root, symptom))),
  ),
  // An item that an update of another one changes, while its own calls overlap.
  rule(isInOne, 'updated-reads-back/other-item', 'overlap', (_, { recurred }) => recurred !== true),
  // A state that overlapping calls left.
  rule(isInOne, 'overlap/not-linearizable', 'overlap/read', ({ operation }) => !operation.startsWith('GET ')),
  // Overlapping calls of all kinds.
  rule(isOfOneApi, 'overlap', 'overlap', ({ subject }, symptom) => {
    return subject !== symptom.subject && symptom.subject === 'stress';
  }),
  // A deletion that removes nothing.
  rule(isInFamily, 'deleted-is-gone/readable', 'deleted-is-gone'),
  rule(isInFamily, 'deleted-is-gone', 'filters/wrongly-found', ({ code }, { steps }) => {
    return code !== 'deleted-is-gone/other-item' && steps.some(({ request }) => request.method === 'DELETE');
  }),
  // A change that is not made where it should be refused. A value that is stored otherwise says nothing about that, nor does the
  // answer to an id of nothing.
  rule(isOnOne, codes.SINGLE_CHANGES, 'published-behaviour/accepted', ({ check, code }) => {
    return !check.endsWith('reads-back') && !codes.IGNORED_ID.includes(code);
  }),
  // What an item and a list show.
  (root, symptom) =>
    isInOne(root, symptom) &&
    (root.subject === symptom.subject || root.check !== symptom.check || isOfMember(root, symptom)) &&
    codes.PAIRS.some(([first, second]) => root.code === first && symptom.code === second),
  // An item that the list does not show, whatever it is read for.
  rule(isLastRead, 'created-reads-back/not-listed', codes.NOT_SHOWN),
  // A created item that is not readable, whichever operation is to blame.
  rule(isInOne, 'created-reads-back/not-readable', 'created-reads-back/not-readable', (root, symptom) => {
    return root.operation.startsWith('POST ') && symptom.operation.startsWith('GET ');
  }),
  // A state that the list of active items shows, and so does the one of inactive items.
  rule(isOnOne, 'model-conformance/state', 'model-conformance/state', (...both) =>
    codes.WRONG_STATES.some((states) => both.every(({ subject = '' }) => states.includes(subject))),
  ),
  // An item without its name is not found.
  rule(isInOne, 'created-reads-back/member', codes.WITHOUT_NAME, (root) => namedIn(root).includes('name')),
  // A page in place of JSON.
  rule(isOnOne, 'content-type-offered/media-type', 'json-well-formed'),
  // A page in place of a refusal.
  rule(isOnOne, 'authentication/accepted', codes.BODY_CHECKS, (_, { steps }) =>
    steps.every(({ identity }) => identity !== 'full'),
  ),
  // An answer that cannot be read.
  rule(isInOne, 'json-well-formed', codes.EXPLAINED_BY_MALFORMED, (root, symptom) => {
    const isRead = symptom.check !== 'form-equivalence' && isCalledIn(root, symptom);
    return isOnOne(root, symptom) || isRead;
  }),
  // An item that is not shown because the read is answered otherwise.
  (root, symptom) =>
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
];

/** True if the first finding probably explains the second. A known finding explains no new one. */
export function explains(root: MergedFinding, symptom: MergedFinding): boolean {
  if (symptom.fails && !root.fails) return false;
  return root.fingerprint === symptom.cause || RULES.some((explained) => explained(root, symptom));
}

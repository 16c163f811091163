import * as count from './count-statements.ts';
import * as description from './description-statements.ts';
import { idOf } from './evidence.ts';
import type { FindingEvidence } from './evidence.ts';
import { quoted } from './literal.ts';
import * as list from './list-statements.ts';
import * as offset from './offset-statements.ts';
import { sorted } from './order-statements.ts';
import * as page from './page-statements.ts';
import * as race from './race-statements.ts';
import * as other from './other-item-statements.ts';
import * as result from './result-statements.ts';
import { schemaExpectation } from './schema-rule.ts';
import * as state from './state-statements.ts';
import * as is from './statements.ts';
import type { Statement } from './statements.ts';

const statuses = is.same((answer) => `${answer}.status`);
const types = is.same((answer) => `${answer}.type`);
const shapes = is.same((answer) => `shape(${answer}.json)`);

const documentedStatus: Statement = ({ answer, script }) => {
  const known = script.statuses.filter((each) => /^\d+$/.test(each));
  return [
    `expect(${answer}.status, 'a documented status').toSatisfy((status: number) => status >= 400 || [${known.join(', ')}].includes(status));`,
  ];
};

const offeredType: Statement = ({ answer, script }) => [
  `expect(${answer}, 'an offered media type').toSatisfy(({ status, type }) => status >= 300 || ${JSON.stringify(script.mediaTypes)}.includes(type));`,
];

const askedType: Statement = ({ answer, last }) => [
  `expect(${answer}.type).toBe(${quoted(last.request.headers['accept'] ?? '')});`,
];

const ownId: Statement = (evidence) => {
  const { answer, finding, lastId: id } = evidence;
  // A service that shows another item now and then needs several items to do so; those of the run no longer exist.
  const isGone = finding.subject?.endsWith('intermittent') === true && !evidence.isMade(id ?? '');
  return id === undefined || isGone
    ? undefined
    : [
        // An item that the test does not create does not exist: a correct answer is a refusal.
        ...(evidence.isMade(id) ? [] : [`if (${answer}.status < 300)`]),
        `expect(String(at(${answer}.json, ${quoted(finding.instancePointer ?? '/id')})).toLowerCase()).toBe(${id}.toLowerCase());`,
      ];
};

const uuids: Statement = ({ answer, finding }) => [
  `for (const id of all(${answer}.json, ${quoted((finding.instancePointer ?? '/id').replaceAll(/\/\d+(?=\/|$)/g, '/*'))})) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);`,
];

const header: Statement = ({ answer, finding }) => [
  `expect(${answer}.headers.get(${quoted(finding.subject?.split(' ', 1)[0] ?? 'content-type')})).not.toBeNull();`,
];

const otherHeader: Statement = ({ answer, finding }) => [
  `expect(${answer}.headers.get(${quoted(finding.subject?.split(' ', 1)[0] ?? '')})).not.toBe(${quoted(finding.received)});`,
];

const otherType: Statement = ({ answer, finding }) => [
  `expect(${answer}.type).not.toBe(${quoted(finding.subject?.split(' ', 1)[0] ?? '')});`,
];

const absentMember: Statement = ({ answer, finding }) => [
  `expect(at(${answer}.json, ${quoted(finding.instancePointer ?? '')}) ?? '').toBe('');`,
];

/** What has another media type than in the run need not be JSON. */
const wellFormed: Statement = ({ answer, unaskedType }) => [
  `${unaskedType === undefined ? '' : `if (${answer}.type === ${quoted(unaskedType)}) `}expect(() => JSON.parse(${answer}.text)).not.toThrow();`,
];

const otherIds: Statement = ({ steps }) => {
  const creations = steps.filter(({ request }) => request.method === 'POST');
  return [`expect(new Set([${creations.map(idOf).join(', ')}]).size).toBe(${creations.length});`];
};

/** The second patch has the status of the first one, or that of the first one sent again: it may change what it applies to. */
const statusesOfForms: Statement = (evidence) => {
  const { scenario, steps, last } = evidence;
  const first = steps.at(-2);
  if (last.request.method !== 'PATCH' || first === undefined) return statuses(evidence);
  return [
    `const again = await ${scenario.call(first)}; // The first patch may have changed what the second one applied to.`,
    `expect([${first.answer}.status, again.status]).toContain(${last.answer}.status);`,
  ];
};

const moreItems: Statement = ({ answer, earlier }) =>
  earlier === undefined
    ? undefined
    : [`expect(items(${answer}.json).length).toBeGreaterThan(items(${earlier}.json).length);`];

const otherBody: Statement = ({ scenario, firstRead, last }) =>
  firstRead === undefined
    ? undefined
    : [
        `const other = await until(() => ${scenario.call(last)}, ({ text }) => text !== ${firstRead.answer}.text);`,
        `expect(other.text).not.toBe(${firstRead.answer}.text);`,
      ];

/** An update whose body has the id of another item leaves that item unchanged. */
const otherPolicyKept: Statement = (evidence) =>
  evidence.finding.subject === 'body-id' ? is.membersAsCreated(evidence) : undefined;

const NOT_FOUND = is.status(404);

/** What a correct answer fulfils, by code of the finding or by its check; tried in this order. */
const STATEMENTS: Readonly<Record<string, readonly Statement[]>> = {
  answered: [({ answer }) => [`expect(${answer}.status).toBeGreaterThan(0);`]],
  'no-server-error': [({ answer }) => [`expect(${answer}.status).toBeLessThan(500);`]],
  'status-documented': [documentedStatus],
  'valid-request-served': [is.success],
  'content-type-offered/media-type': [offeredType],
  'content-type-offered/not-as-asked': [askedType],
  'content-type-offered/refusal': [otherType],
  'json-well-formed': [wellFormed],
  'body-fits-schema/missing': [({ answer }) => [`expect(${answer}.text).not.toBe('');`]],
  'body-fits-schema/mismatch': [schemaExpectation],
  'body-fits-schema/write-only': [absentMember],
  'own-id/other': [ownId],
  'own-id/format': [uuids],
  'own-id/other-content': [result.chatAsStreamed],
  'own-id/changing': [page.keepsSome],
  'headers-declared/missing': [header],
  'headers-declared/mismatch': [otherHeader],
  'form-equivalence/status': [statusesOfForms],
  'form-equivalence/media-type': [types],
  'form-equivalence/body': [is.bodies],
  'form-equivalence/shape': [shapes],
  'form-equivalence/refusal': [statuses],
  'form-equivalence/stored': [is.storedAlike],
  'form-shared-state/created-not-readable': [is.readableAsSent],
  'form-shared-state/created-not-listed': [list.lists],
  'form-shared-state/deleted-still-readable': [NOT_FOUND],
  authentication: [is.statusEachTime(401)],
  'authorisation/accepted': [is.status(403)],
  'authorisation/status': [is.status(403)],
  authorisation: [is.success],
  'tenant-isolation/readable': [is.status(403, 404)],
  'tenant-isolation/listed': [list.listsNot],
  'tenant-isolation/changed': [is.unchanged],
  'served-description/version': [description.declaredVersion],
  'served-description/permission': [description.declaredPermission],
  'served-description/drift': [description.declaredInterface],
  'unknown-id': [NOT_FOUND],
  'malformed-id': [is.status(400, 404)],
  'malformed-json': [is.statusEachTime(400)],
  'request-media-types': [is.refusedServed, is.success],
  'response-media-types/refused': [is.success],
  'response-media-types/content': [is.same((answer) => `${answer}.json`)],
  'paging-defaults/size': [page.defaultSize],
  'paging-defaults/number': [is.same((answer) => `idsOf(${answer}.json)[0]`)],
  'paging-base/first-page': [page.holdsFirst],
  'paging-base/same-page': [page.otherItems],
  'paging-partition/item-twice': [page.noItemTwice],
  'paging-partition/no-list': [page.isList, is.success],
  'paging-partition/items-lost': [count.countedItems, page.pagesArePartition],
  'paging-partition/items-missing': [count.countedItems, page.pagesArePartition],
  'paging-partition/page-too-long': [page.pagesArePartition, page.notTooLong],
  'paging-partition': [page.pagesArePartition],
  'paging-past-end/items': [page.noItems],
  'paging-past-end/status': [page.isList, is.success],
  ordering: [sorted],
  'filters/not-found': [result.chatsWithoutResults, result.filteredAsListed, list.inEither, list.listsMade],
  'filters/wrongly-found': [
    result.typeOfPath,
    result.matching,
    result.chatsWithoutResults,
    result.inOneOfBoth,
    page.sameInAnyOrder,
    page.pagesOfWhole,
    page.noneMatching,
    list.listsNotShown,
  ],
  'filters/lost-on-page': [page.sameInAnyOrder, page.pagesOfWhole],
  'filters/default-value': [page.sameItems],
  'filters/ignored': [page.otherItems],
  'filters/lost-on-next-page': [page.noItems],
  'query-styles/repeated-key': [list.allAsked],
  'query-styles/ignored': [list.askedOnly],
  'query-styles/parameter-order': [is.bodies],
  'query-styles/deep-object': [is.presence],
  'int64-offset/past-end': [offset.noneAfter],
  'int64-offset/before-offset': [offset.noneBefore],
  'int64-offset/items-lost': [offset.allFromOffset],
  'created-reads-back/not-readable': [is.readableAsSent],
  'created-reads-back/not-listed': [list.listsEachTime, list.listsEachOfName, list.listsName, list.lists],
  'created-reads-back/listed-twice': [page.noItemTwice],
  'created-reads-back/created-twice': [list.listedOnce],
  'created-reads-back/same-id': [otherIds],
  'created-reads-back/other-parent': [NOT_FOUND],
  'created-reads-back/other-id': [ownId, is.presence],
  'created-reads-back/listed-member': [list.listedAsSent],
  'created-reads-back': [is.memberAsSent],
  'updated-reads-back/not-readable': [is.item],
  'updated-reads-back/not-listed': [list.lists],
  'updated-reads-back/other-id': [ownId],
  'updated-reads-back/stale-version': [is.refusal],
  'updated-reads-back/other-item': [is.readable, is.membersAsCreated, other.listsCreated],
  'updated-reads-back/listed-member': [list.listedAsSent],
  'updated-reads-back': [is.memberAsSent],
  'deleted-is-gone/listed': [list.listsNot],
  'deleted-is-gone/in-processing-order': [list.listsNot],
  'deleted-is-gone/other-item': [is.readable, is.membersAsCreated, other.listsCreated],
  'deleted-is-gone': [NOT_FOUND],
  'json-patch/response': [is.asPatched],
  'json-patch/result': [is.othersKept, list.listedAsPatched, is.asPatched],
  'json-patch/served': [is.refusal],
  'json-patch/status': [is.status(400, 409, 422)],
  'json-patch/not-atomic': [is.ifRefused(is.unchanged)],
  'refused-changes-nothing/changed-data': [
    state.deletedIsGone,
    is.ifRefused(is.unchanged),
    is.ifRefused(is.textAsUpdated),
    is.ifRefused(list.listsOtherwise),
    is.ifRefused(is.differs),
  ],
  'refused-changes-nothing/stored': [list.listsNoName, is.presence],
  'activation/other-policy': [other.listsCreated],
  'activation/changed-content': [is.unchanged, is.textAsUpdated, list.listsLacked],
  'activation/state-member': [state.listedAsRead, is.otherMember],
  'activation/changed-by-order': [list.listsNot],
  activation: [state.listedByName, is.presence],
  'processing-order/lacks-policy': [race.orderAsSent, list.lists],
  'processing-order/not-as-set': [race.orderAsSent],
  'processing-order/extra-policy': [is.noDuplicates],
  'processing-order/changed': [race.orderKept, race.orderAsSent],
  'approvals/not-moved': [result.namedChanged, result.noneInState, is.changed],
  'approvals/refused-moves': [list.listUnchanged],
  'approvals/state-differs': [result.stateAsListed],
  'approvals/filter-unknown': [result.filteredAsListed],
  'approvals/reopened': [result.namedChanged, is.othersUnchanged],
  'approvals/divided': [result.allAlike],
  'approvals/other-form': [result.sameDecision, is.othersUnchanged],
  approvals: [is.othersUnchanged],
  'job-runs/not-ended': [result.runsEnd],
  'job-runs/not-listed': [is.oneItemEach],
  'job-runs/queued-twice': [is.oneItemEach],
  'job-runs/lost': [is.oneItemEach],
  'job-runs/ended-again': [result.runsStayEnded],
  'job-runs/stream-empty': [({ answer }) => [`expect(items(${answer}.json)).not.toEqual([]);`]],
  'job-runs/summary-constant': [otherBody],
  'job-ownership/not-readable': [is.item],
  'job-ownership/other-job': [page.shareNone, NOT_FOUND],
  'job-ownership/other-run': [NOT_FOUND],
  'job-ownership/other-type': [NOT_FOUND],
  'job-ownership/same-content': [page.otherItems],
  'dry-run/real-run': [list.sameRealRuns],
  'dry-run/run-lost': [list.sameRealRuns],
  'dry-run': [is.membersUnchanged, list.listedAsCreated],
  'audit-log/other-object': [list.askedOnly],
  'audit-log/other-type': [page.noItems],
  'audit-log': [moreItems],
  'model-conformance/status': [is.otherStatus],
  'model-conformance/state': [is.textAsUpdated, state.listedByName, list.listsCreation],
  'model-conformance/other-item': [other.listsCreated, list.listsOtherwise],
  'overlap/same-id': [otherIds],
  'overlap/created-twice': [list.listedOnce],
  'overlap/list-incomplete': [list.listsNamed],
  'overlap/runs-lost': [is.oneItemEach],
  'overlap/lost-update': [race.patchesStored, list.listsCreations, result.namedChanged, race.oneOfSent],
  'overlap/read': [race.readableUnlessDeleted, race.oneOfSent],
  overlap: [result.namedChanged, race.oneOfSent],
  'clue-accepted/refused': [is.success],
  'raw-accepted/refused': [is.success],
  'equal-json/status': [statuses],
  'equal-json/media-type': [types],
  'equal-json/shape': [shapes],
  'clue-accepted': [statuses],
  'raw-accepted': [statuses],
  'invalid-refused': [is.status(400)],
  'published-behaviour/value': [
    is.actionsKept,
    otherPolicyKept,
    count.countsOwnItems,
    count.sameCount,
    count.placesDiffer,
    page.othersThanBefore,
    state.listedByName,
    is.otherMember,
  ],
  'published-behaviour/missing': [is.actionsKept],
  'published-behaviour/accepted': [is.refusal],
  'published-behaviour/refused': [is.success],
};

/** Expectations that fail on the responses of the run and hold on correct ones; undefined if none are known. */
export function expectationsOf(evidence: FindingEvidence): readonly string[] | undefined {
  const { code, check } = evidence.finding;
  // The result of overlapping calls varies: that it differs from the result in the run proves nothing.
  const last = check === 'overlap' || is.isOfUnknownItem(evidence) ? [] : [state.deletedIsGone, is.differs];
  for (const stated of [...(STATEMENTS[code] ?? STATEMENTS[check] ?? []), ...last]) {
    const lines = stated(evidence);
    if (lines !== undefined) return lines;
  }
  return undefined;
}

import type { Evidence } from './evidence.ts';
import { quoted } from './literal.ts';
import {
  allAsked,
  defaultSize,
  holdsFirst,
  listUnchanged,
  namedChanged,
  noItems,
  otherItems,
  pagesArePartition,
  sorted,
  filteredAsListed,
  stateAsListed,
  listsMade,
  listedAsSent,
  listsNamed,
  listedOnce,
  listsCreated,
  lists,
  listsNot,
} from './list-statements.ts';
import { schemaExpectation } from './schema-rule.ts';
import {
  allFromOffset,
  asPatched,
  changed,
  differs,
  fromOffset,
  memberAsSent,
  membersAsCreated,
  noDuplicates,
  oneOfSent,
  oneItemEach,
  orderAsSent,
  othersUnchanged,
  otherMember,
  otherStatus,
  presence,
  readable,
  readableAsSent,
  refusal,
  runsEnd,
  same,
  status,
  success,
  unchanged,
} from './statements.ts';
import type { Statement } from './statements.ts';

const bodies = same((answer) => `plain(${answer}.text)`);
const statuses = same((answer) => `${answer}.status`);
const types = same((answer) => `${answer}.type`);
const shapes = same((answer) => `shape(${answer}.json)`);

/** What was a success without a body has one. */
const hasBody: Statement = ({ answer, shown }) =>
  (shown?.response?.status ?? 0) < 300 ? [`expect(${answer}.json).toBeDefined();`] : undefined;

const documentedStatus: Statement = ({ answer, script }) => {
  const known = script.statuses.filter((each) => /^\d+$/.test(each));
  return [
    `expect(${answer}.status).toSatisfy((status: number) => status >= 400 || [${known.join(', ')}].includes(status));`,
  ];
};

const offeredType: Statement = ({ answer, script }) => [
  `expect(${answer}).toSatisfy(({ status, type }) => status >= 300 || ${JSON.stringify(script.mediaTypes)}.includes(type));`,
];

const askedType: Statement = ({ answer, last }) => [
  `expect(${answer}.type).toBe(${quoted(last.request.headers['accept'] ?? '')});`,
];

const ownId: Statement = (evidence) => {
  const { answer, finding, last } = evidence;
  const id = evidence.idsIn(last.request.url).at(-1);
  // Who shows another item now and then must have several; those of the run are removed.
  const isGone = finding.subject?.endsWith('intermittent') === true && !evidence.isMade(id ?? '');
  return id === undefined || isGone
    ? undefined
    : [
        `expect(String(at(${answer}.json, ${quoted(finding.instancePointer ?? '/id')})).toLowerCase()).toBe(${id}.toLowerCase());`,
      ];
};

const uuids: Statement = ({ answer, finding }) => [
  `for (const id of all(${answer}.json, ${quoted((finding.instancePointer ?? '/id').replaceAll(/\/\d+(?=\/|$)/g, '/*'))})) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);`,
];

const header: Statement = ({ answer, finding }) => [
  `expect(${answer}.headers.get(${quoted(finding.subject ?? 'content-type')})).not.toBeNull();`,
];

const otherIds: Statement = ({ steps }) => [
  `expect(new Set([${steps
    .filter(({ request }) => request.method === 'POST')
    .map(({ answer }) => `${answer}.ids[0]`)
    .join(', ')}]).size).toBe(${steps.filter(({ request }) => request.method === 'POST').length});`,
];

const moreItems: Statement = ({ answer, earlier }) =>
  earlier === undefined
    ? undefined
    : [`expect(items(${answer}.json).length).toBeGreaterThan(items(${earlier}.json).length);`];

const otherBody: Statement = ({ answer, steps, last }) => {
  const first = steps.find(({ request }) => request.url === last.request.url && request.method === 'GET');
  return first === undefined || first === last ? undefined : [`expect(${answer}.text).not.toBe(${first.answer}.text);`];
};

const declaredVersion: Statement = ({ answer, script }) => [
  `expect(${answer}.json.info.version).toBe(${quoted(script.version)});`,
];

const NOT_FOUND = status(404);

/** What a correct answer fulfils, by code of the finding or by its check; tried in this order. */
const STATEMENTS: Readonly<Record<string, readonly Statement[]>> = {
  answered: [({ answer }) => [`expect(${answer}.status).toBeGreaterThan(0);`]],
  'no-server-error': [({ answer }) => [`expect(${answer}.status).toBeLessThan(500);`]],
  'status-documented': [documentedStatus],
  'valid-request-served': [success],
  'content-type-offered/media-type': [offeredType],
  'content-type-offered/not-as-asked': [askedType],
  'json-well-formed': [({ answer }) => [`expect(() => JSON.parse(${answer}.text)).not.toThrow();`]],
  'body-fits-schema/missing': [({ answer }) => [`expect(${answer}.text).not.toBe('');`]],
  'body-fits-schema/mismatch': [schemaExpectation],
  'own-id/other': [ownId],
  'own-id/format': [uuids],
  'headers-declared': [header],
  'form-equivalence/status': [statuses],
  'form-equivalence/media-type': [types],
  'form-equivalence/body': [bodies],
  'form-equivalence/shape': [shapes],
  'form-equivalence/refusal': [statuses],
  'form-shared-state/created-not-readable': [success],
  'form-shared-state/created-not-listed': [lists],
  'form-shared-state/deleted-still-readable': [NOT_FOUND],
  authentication: [status(401)],
  'authorisation/accepted': [status(403)],
  'authorisation/status': [status(403)],
  authorisation: [success],
  'tenant-isolation/readable': [status(403, 404)],
  'tenant-isolation/listed': [listsNot],
  'tenant-isolation/changed': [unchanged],
  'served-description/version': [declaredVersion],
  'unknown-id': [NOT_FOUND],
  'malformed-id': [status(400, 404)],
  'malformed-json': [status(400)],
  'request-media-types': [success],
  'response-media-types/refused': [success],
  'response-media-types/content': [same((answer) => `${answer}.json`)],
  'paging-defaults/size': [defaultSize],
  'paging-defaults/number': [same((answer) => `idsOf(${answer}.json)[0]`)],
  'paging-base/first-page': [holdsFirst],
  'paging-base/same-page': [otherItems],
  'paging-partition': [pagesArePartition],
  'paging-past-end/items': [noItems],
  'paging-past-end/status': [hasBody, success],
  ordering: [sorted],
  'filters/not-found': [listsMade],
  'filters/wrongly-found': [listsNot],
  'filters/ignored': [otherItems],
  'filters/lost-on-next-page': [noItems],
  'query-styles/repeated-key': [allAsked],
  'query-styles/parameter-order': [bodies],
  'query-styles/deep-object': [presence],
  'int64-offset/past-end': [noItems],
  'int64-offset/before-offset': [fromOffset],
  'int64-offset/items-lost': [allFromOffset],
  'created-reads-back/not-readable': [readableAsSent],
  'created-reads-back/not-listed': [lists],
  'created-reads-back/created-twice': [listedOnce],
  'created-reads-back/same-id': [otherIds],
  'created-reads-back/other-id': [presence],
  'created-reads-back/listed-member': [listedAsSent],
  'created-reads-back': [memberAsSent],
  'updated-reads-back/not-readable': [success],
  'updated-reads-back/not-listed': [lists],
  'updated-reads-back/other-item': [readable, membersAsCreated, listsCreated],
  'updated-reads-back/listed-member': [listedAsSent],
  'updated-reads-back': [memberAsSent],
  'deleted-is-gone/listed': [listsNot],
  'deleted-is-gone/in-processing-order': [listsNot],
  'deleted-is-gone/other-item': [readable, membersAsCreated, listsCreated],
  'deleted-is-gone': [NOT_FOUND],
  'json-patch/response': [asPatched],
  'json-patch/result': [asPatched],
  'json-patch/served': [refusal],
  'json-patch/status': [status(400, 409, 422)],
  'json-patch/not-atomic': [unchanged],
  'refused-changes-nothing/changed-data': [unchanged],
  'refused-changes-nothing/stored': [presence],
  'activation/other-policy': [listsCreated],
  'activation/changed-content': [unchanged],
  'activation/state-member': [otherMember],
  activation: [presence],
  'processing-order/lacks-policy': [lists],
  'processing-order/not-as-set': [orderAsSent],
  'processing-order/extra-policy': [noDuplicates],
  'processing-order/changed': [unchanged],
  'approvals/not-moved': [namedChanged, changed],
  'approvals/refused-moves': [listUnchanged],
  'approvals/state-differs': [stateAsListed],
  'approvals/filter-unknown': [filteredAsListed],
  approvals: [othersUnchanged],
  'job-runs/not-ended': [runsEnd],
  'job-runs/not-listed': [oneItemEach],
  'job-runs/queued-twice': [oneItemEach],
  'job-runs/lost': [oneItemEach],
  'job-runs/summary-constant': [otherBody],
  'job-ownership/other-job': [NOT_FOUND],
  'job-ownership/other-run': [NOT_FOUND],
  'job-ownership/same-content': [otherItems],
  'dry-run': [unchanged],
  'audit-log': [moreItems],
  'model-conformance/status': [otherStatus],
  'model-conformance/other-item': [listsCreated],
  'overlap/same-id': [otherIds],
  'overlap/created-twice': [listedOnce],
  'overlap/list-incomplete': [listsNamed],
  'overlap/runs-lost': [oneItemEach],
  overlap: [namedChanged, oneOfSent],
  'clue-accepted/refused': [success],
  'raw-accepted/refused': [success],
  'equal-json/status': [statuses],
  'equal-json/media-type': [types],
  'equal-json/shape': [shapes],
  'clue-accepted': [statuses],
  'raw-accepted': [statuses],
  'invalid-refused': [status(400)],
  'published-behaviour/accepted': [refusal],
  'published-behaviour/refused': [success],
};

/** Expectations that fail on the responses of the run and hold on correct ones; undefined if none are known. */
export function expectationsOf(evidence: Evidence): readonly string[] | undefined {
  const { code, check } = evidence.finding;
  // What overlapping calls leave differs from time to time: that it is otherwise than in the run shows nothing.
  const last = check === 'overlap' ? [] : [differs];
  for (const state of [...(STATEMENTS[code] ?? STATEMENTS[check] ?? []), ...last]) {
    const lines = state(evidence);
    if (lines !== undefined) return lines;
  }
  return undefined;
}
